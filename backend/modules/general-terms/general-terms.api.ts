import * as z from 'zod/mini';
import { instant } from '../../platform/http/common.api.js';

/** Version of the text on the page: the day of its last change. Change it with the text. */
export const TERMS_VERSION = '2025-01-31';

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
