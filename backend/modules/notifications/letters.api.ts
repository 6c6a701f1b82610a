import * as z from 'zod/mini';
import { type ErrorTable, id, text } from '../../platform/http/common.api.js';

export const letterErrors = {
  'letters.not_valid': { status: 404, title: 'Link inválido ou expirado' },
} as const satisfies ErrorTable;

/** Kinds of automatic mails. Students switch them off by the link in each mail, with or without an account. */
export const switchedOff = z.enum(['lembretes', 'creditos', 'vencimentos', 'assinaturas']);
export type SwitchedOff = z.infer<typeof switchedOff>;

/** What is ended: mails of one kind, or all of the trainer. */
export const letterScope = z.enum(['tipo', 'personal']);
export type LetterScope = z.infer<typeof letterScope>;

export const letterLinkParams = z.strictObject({ token: text(1, 200) });

/** The form that mail programs send for their unsubscribe button (RFC 8058). */
export const oneClick = z.object({ 'List-Unsubscribe': z.literal('One-Click') });

/** A mail as it was received, a character for each byte. */
export const rawMail = z.string();

/** The token is in the body, because paths are stored with the Idempotency-Key. */
export const letterSwitch = z.strictObject({
  token: text(1, 200),
  ativo: z.boolean(),
  alvo: z._default(letterScope, 'tipo'),
});
export type LetterSwitch = z.infer<typeof letterSwitch>;
export const letterSwitched = z.object({ id });

export const letterLink = z.object({
  /** Null for a mail of no such kind. */
  tipo: z.nullable(switchedOff),
  /** The trainer's name. */
  personal: z.string(),
  /** Whether mails of the kind, and any of the trainer, are sent. */
  ativo: z.boolean(),
  personal_ativo: z.boolean(),
});
export type LetterLink = z.infer<typeof letterLink>;
