import * as z from 'zod/mini';
import { instant } from '../../platform/http/common.api.js';

/** Of the text that the page shows: the day of its last change. Whoever changes the text gives it another one. */
export const TERMS_VERSION = '2025-01-01';

export const termsAcceptance = z.strictObject({
  /** What was read. */
  versao: z.literal(TERMS_VERSION, 'Os termos mudaram. Atualize a página e leia o texto atual.'),
});
export type TermsAcceptance = z.infer<typeof termsAcceptance>;

export const shownTerms = z.object({
  /** The version that was agreed to last, and when; null before. */
  aceite: z.nullable(z.object({ versao: z.string(), em: instant })),
});
export type ShownTerms = z.infer<typeof shownTerms>;
