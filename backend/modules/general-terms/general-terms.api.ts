import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { created, instant } from '../../platform/http/common.api.js';

/** Version of the text on the page: the day of its last change. Change it with the text. */
export const TERMS_VERSION = '2025-01-31';

/** The agreement to the terms in a sign-up: their version. A client that does not ask for it may leave it out. */
export const agreedTerms = z.optional(
  z.literal(TERMS_VERSION, 'Os termos de uso mudaram. Atualize a página e leia o texto atual.'),
);
/** The same in our own forms: without the agreement there is no account. */
export const requiredTerms = z.literal(TERMS_VERSION, 'Para criar a conta, concorde com os termos de uso');

export const termsAcceptance = z.strictObject({
  /** The version that was read. */
  versao: z.literal(TERMS_VERSION, 'Os termos mudaram. Atualize a página e leia o texto atual.'),
});
export type TermsAcceptance = z.infer<typeof termsAcceptance>;

export const shownTerms = z.object({
  /** The last accepted version, and when; null before the first. */
  aceite: z.nullable(z.object({ versao: z.string(), em: instant })),
});
export type ShownTerms = z.infer<typeof shownTerms>;

export const generalTermsApi = {
  show: get('/general-terms', {
    summary: 'Mostra a concordância com as políticas e termos gerais',
    answer: shownTerms,
  }),
  accept: post('/general-terms/acceptance', {
    summary: 'Concorda com as políticas e termos gerais',
    body: termsAcceptance,
    answer: created,
  }),
};
