import { subDays } from 'date-fns';
import type { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';

/** The secret path of the page of a receita's receipt; its file has the same path with `.pdf`. */
export const receiptPath = (tokens: LinkTokens, transactionId: string): string =>
  `/recibo/${tokens.tokenOf('receipt', transactionId)}`;

/**
 * The first day of payments whose receipts other links open, as those of a charge and of a student's area do. A receipt names the
 * payer and may have the CPF, and links are forwarded.
 */
export const receiptsOpenSince = (now: Date, timezone: string): string => dateOf(subDays(now, 90), timezone);
