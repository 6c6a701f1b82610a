import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { type ErrorTable, id, text } from '../../platform/http/common.api.js';

export const letterErrors = {
  'letters.not_valid': { status: 404, title: 'Link inválido ou expirado' },
} as const satisfies ErrorTable;

/** Kinds of automatic mails. Students switch them off by the link in each mail, with or without an account. */
export const switchedOff = z.enum(['lembretes', 'creditos', 'vencimentos', 'assinaturas']);
export type SwitchedOff = z.infer<typeof switchedOff>;
/** The same, and messages that send themselves by WhatsApp, of which a student says so there. */
export type Unwanted = SwitchedOff | 'whatsapp';

/** What is ended: mails of one kind, or all of the trainer. */
export const letterScope = z.enum(['tipo', 'personal']);
export type LetterScope = z.infer<typeof letterScope>;

const letterLinkParams = z.strictObject({ token: text(1, 200) });

/** The form that mail programs send for their unsubscribe button (RFC 8058). */
const oneClick = z.object({ 'List-Unsubscribe': z.literal('One-Click') });

/** A mail as it was received, a character for each byte. */
const rawMail = z.string();

/** The token is in the body, because paths are stored with the Idempotency-Key. */
export const letterSwitch = z.strictObject({
  token: text(1, 200),
  ativo: z.boolean(),
  alvo: z._default(letterScope, 'tipo'),
});
export type LetterSwitch = z.infer<typeof letterSwitch>;
const letterSwitched = z.object({ id });

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

const BY_ADDRESS = { name: 'letter-links', points: 100, seconds: 600 };
/** Higher limit, because the requests of a mail service come from few addresses. */
const BY_MAIL_SERVICE = { name: 'letter-taps', points: 3000, seconds: 600 };
const REPORTS = { name: 'mail-reports', points: 600, seconds: 60 };

export const letterLinksApi = {
  show: get('/letter-links/:token', {
    summary: 'Mostra quais e-mails o link de um deles desativa',
    public: true,
    params: letterLinkParams,
    answer: letterLink,
    limit: BY_ADDRESS,
  }),
  change: post('/letter-links', {
    summary: 'Deixa de enviar, ou volta a enviar, os e-mails do link',
    public: true,
    body: letterSwitch,
    answer: letterSwitched,
    limit: BY_ADDRESS,
  }),
};

export const oneClickApi = {
  tap: post('/avisos/:token', {
    summary: 'Deixa de enviar os e-mails do link, a pedido do programa de e-mail',
    tags: ['letter-links'],
    public: true,
    takes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
    bodyLimit: 10_000,
    params: letterLinkParams,
    body: oneClick,
    status: 204,
    limit: BY_MAIL_SERVICE,
  }),
};

export const mailHookApi = {
  take: post('/hooks/mail', {
    summary: 'Recebe do servidor de e-mail as mensagens que voltaram e as denúncias de spam',
    public: true,
    takes: ['message/rfc822'],
    body: rawMail,
    status: 204,
    limit: REPORTS,
  }),
};
