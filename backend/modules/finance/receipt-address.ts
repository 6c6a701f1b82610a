import type { LinkTokens } from '../../platform/link-tokens.js';

/** The secret path of the file of a receita's receipt. */
export const receiptPath = (tokens: LinkTokens, transactionId: string): string =>
  `/recibo/${tokens.tokenOf('receipt', transactionId)}.pdf`;
