import * as z from 'zod/mini';
import { get, remove } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const accountErrors = {
  'account.session_not_found': { status: 404, title: 'Acesso não encontrado' },
} as const satisfies ErrorTable;

/** A sign-in, and the device that it was on. */
const signIn = z.object({
  id,
  /** Browser and system in words; null where the User-Agent does not tell. */
  dispositivo: z.nullable(z.string()),
  /** Anonymised address. */
  endereco: z.nullable(z.string()),
  entrou_em: instant,
  visto_em: instant,
  /** Null while the session is active. */
  encerrada_em: z.nullable(instant),
  /** The session of this request. */
  atual: z.boolean(),
  /** Active now. */
  ativa: z.boolean(),
});

/** Active ones first, then by time, newest first. */
export const signIns = z.object({ items: z.array(signIn) });
export type SignIns = z.infer<typeof signIns>;

const sessionParams = z.strictObject({ session: id });

export const accountApi = {
  list: get('/account/sessions', {
    summary: 'Mostra os aparelhos e o histórico de acessos',
    signedIn: true,
    answer: signIns,
  }),
  end: remove('/account/sessions/:session', {
    summary: 'Desconecta um aparelho na hora',
    signedIn: true,
    params: sessionParams,
    answer: created,
  }),
};
