import { statement } from '../../platform/database/statement.js';
import { brCode } from './pix-code.js';

/** `emitente`, `documento`: whom the trainer's receipts name. */
export const pixAccount = statement((db) =>
  db
    .selectFrom('pix_accounts as p')
    .leftJoin('receipt_issuers as i', (join) => join.onTrue())
    .select(['p.tipo', 'p.chave', 'p.nome', 'p.cidade', 'p.banco', 'i.nome as emitente', 'i.documento'])
    .compile(),
);

/**
 * The Pix code of a charge: that of the trainer's provider, or a static one of the trainer's key. Null if nothing is left to
 * pay, or the trainer has set no key.
 */
export function codeFor(
  account: { chave: string | null; nome: string | null; cidade: string | null } | undefined,
  valor: number,
  txid: string,
  made: string | null = null,
): string | null {
  if (valor === 0 || !account?.chave || !account.nome || !account.cidade) return null;
  const { chave, nome, cidade } = account;
  return made ?? brCode({ chave, nome, cidade, valor, txid });
}
