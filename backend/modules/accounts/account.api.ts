import * as z from 'zod/mini';
import { type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const accountErrors = {
  'account.session_not_found': { status: 404, title: 'Acesso não encontrado' },
} as const satisfies ErrorTable;

/** A sign-in, and the device that it was on. */
const signIn = z.object({
  id,
  /** In words; null where the browser did not say. */
  dispositivo: z.nullable(z.string()),
  /** Anonymised address. */
  endereco: z.nullable(z.string()),
  entrou_em: instant,
  visto_em: instant,
  /** Null while the session lives. */
  encerrada_em: z.nullable(instant),
  /** The session that asks. */
  atual: z.boolean(),
  /** It lives now. */
  ativa: z.boolean(),
});

/** Those that live first, of each the newest. */
export const signIns = z.object({ items: z.array(signIn) });
export type SignIns = z.infer<typeof signIns>;

export const sessionParams = z.strictObject({ session: id });
