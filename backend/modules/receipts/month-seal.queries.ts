import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { firstHash, storedEvents } from '../../platform/event-store/stored-events.js';
import { type LogPlace, sealCodeOf } from '../seals/seal-code.js';

/** What the amounts of a month follow from, each with its day: a reversal has the day of what it reverses. */
const ENTRIES = sql.raw(storedEvents({ TransactionRecorded: [1, 2], TransactionReversed: [1, 2] }));
const month = sql<string>`left(e.data ->> 'data', 7)`;

/** The newest entry of a month (`2026-11`) that is projected, as those of a file are; up to a position of the log if one is given. */
export const newestOfMonth = statement((db, asked: Blanks<{ month: string; until: number | null }>) =>
  sql<LogPlace>`select e.tenant_id as "tenantId", e.position, ${sql.raw(firstHash('e'))} as hash from ${ENTRIES} e
    where ${month} = ${asked.month} and (${asked.until}::bigint is null or e.position <= ${asked.until}::bigint)
      and exists (select from transactions t where t.tenant_id = e.tenant_id
        and t.id = (e.data ->> case e.type when 'TransactionRecorded' then 'transaction_id' else 'estorno_id' end)::uuid)
    order by e.position desc limit 1`.compile(db),
);

/** Amounts of a month, as they were after one of its entries. */
export interface SealedMonth {
  month: string;
  recebido: number;
  gasto: number;
  /** Whether nothing was recorded in it since. */
  isNewest: boolean;
}

/** The month of the entry at a position; no row where there is none. */
export const monthSealedBy = statement((db, { position }: Blanks<{ position: number }>) =>
  sql<SealedMonth>`
  with sealed as (select ${month} as month from ${ENTRIES} e where e.position = ${position}::bigint),
  entries as (
    select e.position, e.data ->> 'tipo' as tipo,
      (e.data ->> 'valor')::bigint * case e.type when 'TransactionRecorded' then 1 else -1 end as valor
    from ${ENTRIES} e where ${month} = (select month from sealed)
  )
  select s.month,
    (select coalesce(sum(valor), 0)::bigint from entries where tipo = 'receita' and position <= ${position}::bigint) as recebido,
    (select coalesce(sum(valor), 0)::bigint from entries where tipo = 'despesa' and position <= ${position}::bigint) as gasto,
    not exists (select from entries where position > ${position}::bigint) as "isNewest"
  from sealed s`.compile(db),
);

/**
 * The code of a month's newest entry, with a hash that follows from the amounts too: the code of a payment, which its receipt shows
 * together with the whole hash, leads nobody to them.
 */
export function monthCodeOf(place: LogPlace, { month: of, recebido, gasto }: SealedMonth): string {
  const hash = createHash('sha256').update(`${place.hash}/${of}/${recebido}/${gasto}`).digest('hex');
  return sealCodeOf({ ...place, hash }).replace(/^L/, 'M');
}
