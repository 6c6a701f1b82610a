import { sql } from 'kysely';
import { statement, type Blanks } from '../../platform/database/statement.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { pageOf } from '../../platform/http/cursor.js';
import { brCode } from './pix-code.js';
import type { UndecidedList, UndecidedPage } from './pix-notices.api.js';

export const ListUndecidedPix = defineQuery(
  'ListUndecidedPix',
  async ({ read }, { limit, cursor }: UndecidedList): Promise<UndecidedPage> => {
    const rows = await read(undecided({ cursor, limit: limit + 1 }));
    return pageOf(rows, limit, (row) => row);
  },
);

const undecided = statement((db, { cursor, limit }: Blanks<{ cursor?: string | undefined; limit: number }>) =>
  db
    .selectFrom('arrived_pix as a')
    .leftJoin('charges as c', (join) =>
      join.onRef('c.tenant_id', '=', 'a.tenant_id').onRef('c.id', '=', 'a.charge_id'),
    )
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .select(['a.id', 'a.data', 'a.charge_id', 's.nome as student_nome', 'c.descricao'])
    .select('a.falta as valor')
    .select(sql<boolean>`coalesce(c.status = 'aberta', false)`.as('paga_cobranca'))
    .select(sql<boolean>`coalesce(c.status = 'cancelada' and c.entrada is not null, false)`.as('da_reserva'))
    .where(sql<boolean>`not a.decidido`)
    .$if(cursor !== undefined, (found) =>
      found.where(sql<boolean>`(a.data, a.id) > (select data, id from arrived_pix where id = ${cursor!})`),
    )
    .orderBy('a.data')
    .orderBy('a.id')
    .limit(limit)
    .compile(),
);

/** `emitente`, `documento`: whom the trainer's receipts name. */
export const pixAccount = statement((db) =>
  db
    .selectFrom('pix_accounts as p')
    .leftJoin('receipt_issuers as i', (join) => join.onTrue())
    .select(['p.tipo', 'p.chave', 'p.nome', 'p.cidade', 'p.banco', 'i.nome as emitente', 'i.documento'])
    .compile(),
);

/**
 * The Pix code of a charge for what is to be paid today: that of the trainer's provider, or a static one of the trainer's key. Null if nothing is left to
 * pay, or the trainer has set no key.
 */
export function codeFor(
  account: { chave: string | null; nome: string | null; cidade: string | null } | undefined,
  valor: number,
  txid: string,
  made?: { codigo: string | null; valor: number | null },
): string | null {
  if (valor === 0 || !account?.chave || !account.nome || !account.cidade) return null;
  const { chave, nome, cidade } = account;
  // A provider's code of another day may have another amount.
  return (made?.valor === valor ? made.codigo : null) ?? brCode({ chave, nome, cidade, valor, txid });
}
