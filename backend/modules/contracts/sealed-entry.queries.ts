import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { monthCodeOf, monthSealedBy, type SealedMonth } from '../receipts/month-seal.queries.js';
import type { LogPlace } from '../seals/seal-code.js';
import { FindSealed, type SealedEvent } from '../seals/seals.queries.js';

/** What the code of an entry of the log reveals: amounts and days, but nobody's name. */
export interface VerifiedEntry extends SealedEvent {
  entry:
    | { kind: 'credits'; balance: number; isNewest: boolean; expiredSince: number }
    /** `vale`: what of it is not reversed. */
    | { kind: 'payment'; valor: number; data: string; vale: number }
    | ({ kind: 'month' } & SealedMonth)
    | { kind: 'dossier' }
    | { kind: 'head' }
    /** The log was changed, so nothing is said of it. */
    | null;
}

export class VerifySealed extends Query<VerifiedEntry> {
  constructor(readonly code: string) {
    super();
  }
}

@QueryHandler(VerifySealed)
export class VerifySealedHandler implements IQueryHandler<VerifySealed> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ code }: VerifySealed): Promise<VerifiedEntry> {
    const isMonth = /^\W*M/i.test(code);
    const codeOf = isMonth ? (place: LogPlace) => this.monthCodeOf(place) : undefined;
    const found = await this.queries.execute(new FindSealed(code, codeOf));
    if (!found) throw new Problem('contracts.seal_not_found');
    if (!found.isIntact) return { ...found, entry: null };
    if (/^\W*D/i.test(code)) return { ...found, entry: { kind: 'dossier' } };
    if (/^\W*H/i.test(code)) return { ...found, entry: { kind: 'head' } };
    const entry = isMonth
      ? await this.monthOf(found)
      : ((await this.creditsOf(found)) ?? (await this.paymentOf(found)));
    // No statement, receipt or month carries it.
    if (!entry) throw new Problem('contracts.seal_not_found');
    return { ...found, entry };
  }

  private async creditsOf({ tenantId, position }: SealedEvent): Promise<VerifiedEntry['entry']> {
    const [row] = await this.database.read(tenantId, account({ position, now: this.clock.now() }));
    return row ? { kind: 'credits', ...row } : null;
  }

  private async monthOf({ tenantId, position }: SealedEvent): Promise<VerifiedEntry['entry']> {
    const [row] = await this.database.read(tenantId, monthSealedBy({ position }));
    return row ? { kind: 'month', ...row } : null;
  }

  private async monthCodeOf(place: LogPlace): Promise<string | null> {
    const [row] = await this.database.read(place.tenantId, monthSealedBy(place));
    return row ? monthCodeOf(place, row) : null;
  }

  private async paymentOf({ tenantId, streamId, type }: SealedEvent): Promise<VerifiedEntry['entry']> {
    const recorded = PAYMENTS[type];
    if (!recorded) return null;
    const [row] = await this.database.read(tenantId, recorded({ id: streamId.split(':')[1]! }));
    return row ? { kind: 'payment', ...row } : null;
  }
}

/** The account that the entry is in, as it was after it, and what became of it since. */
const account = statement((db, { position, now }: Blanks<{ position: number; now: Date }>) =>
  sql<{ balance: number; isNewest: boolean; expiredSince: number }>`
  with entry as (
    select student_id, max(em) as em from credit_entries where position = ${position}::bigint group by student_id limit 1
  ), lots as (
    select sum(c.quantidade)::int as rest, l.expires_at
    from entry join credit_entries c on c.student_id = entry.student_id and c.position <= ${position}::bigint
    join credit_lot_balances l on l.lot_id = c.lot_id
    group by l.lot_id, l.expires_at
  )
  select
    coalesce((select sum(rest)::int from lots where expires_at is null or expires_at > entry.em), 0) as balance,
    coalesce((select sum(rest)::int from lots where expires_at > entry.em and expires_at <= ${now}::timestamptz), 0) as "expiredSince",
    not exists (select from credit_entries c where c.student_id = entry.student_id and c.position > ${position}::bigint) as "isNewest"
  from entry`.compile(db),
);

const payment = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('transactions')
    .select(['valor', 'data'])
    .select(sql<number>`case when estornada_por is null then valor else 0 end`.as('vale'))
    .where('id', '=', id)
    .where('tipo', '=', 'receita')
    .where('estorno_de', 'is', null)
    .compile(),
);

/** One payment of several charges. */
const paidAtOnce = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('bill_payments as b')
    .select(['b.valor', 'b.data'])
    .select(
      sql<number>`(select coalesce(sum(t.valor), 0)::int from charge_payments p join transactions t on t.tenant_id = p.tenant_id and t.id = p.id
        where p.tenant_id = b.tenant_id and p.bill_id = b.id and t.estornada_por is null)`.as('vale'),
    )
    .where('b.id', '=', id)
    .compile(),
);

/** What became of a payment, by the event that recorded it. */
const PAYMENTS: Record<string, typeof payment | typeof paidAtOnce> = {
  TransactionRecorded: payment,
  BillPaid: paidAtOnce,
};
