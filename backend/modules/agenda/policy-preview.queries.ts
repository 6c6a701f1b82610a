import { TZDate } from '@date-fns/tz';
import { startOfMonth, subMonths } from 'date-fns';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { Problem } from '../../platform/http/problem.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import type { PolicyPreview, TriedTerms } from './policy-preview.api.js';
import { type PastCancellation, replay } from './policy-preview.js';

/** Number of whole months that are included before the current one. */
const MONTHS_BEFORE = 2;
/** Cancellations per statement: each costs a look into the log, and a statement may last two seconds. */
const PAGE = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What past cancellations at a location would have cost under other terms. */
export const PreviewPolicy = defineQuery(
  'PreviewPolicy',
  async ({ context, now, read }, locationId: string, terms: TriedTerms): Promise<PolicyPreview> => {
    const { timezone } = context;
    const from = new Date(startOfMonth(subMonths(new TZDate(now, timezone), MONTHS_BEFORE)).getTime());
    const past: PastCancellation[] = [];
    let rows: Row[];
    let [before, beforeId] = [now, FIRST_ID];
    do {
      const page = { locationId, timezone, from, before, beforeId };
      rows = await read(cancelledAt(page));
      if (rows.length === 0) throw new Problem('locations.not_found');
      for (const { id, inicio, cancelada_em, ...row } of rows) {
        if (inicio === null) continue;
        [before, beforeId] = [new Date(inicio), id];
        past.push({ ...row, inicio: before.toISOString(), cancelada_em: new Date(cancelada_em) });
      }
    } while (rows.length === PAGE);
    return replay(past, { ...terms, queima_credito: terms.queima_credito === 'sim' });
  },
);

interface Row {
  id: string;
  mes: string;
  /** Null in the single row that a location without cancellations gives. */
  inicio: string | null;
  cancelada_em: string;
  confirmado: boolean;
  motivo: CancellationReason;
  valor: number | null;
}

/** Cancellations by students of sessions at the location since then, the latest first, each by its last event. */
const cancelledAt = statement(
  (
    db,
    {
      locationId,
      timezone,
      from,
      before,
      beforeId,
    }: Blanks<{ locationId: string; timezone: string; from: Date; before: Date; beforeId: string }>,
  ) =>
    sql<Row>`
    select s.id, to_char(date_trunc('month', s.inicio at time zone ${timezone}), 'YYYY-MM-DD') as mes,
      s.inicio, e.recorded_at as cancelada_em, s.confirmado, e.data->>'motivo' as motivo,
      (e.data->>'valor')::float8 as valor
    from locations l
    left join (sessions s join lateral (
      select c.data, c.recorded_at from ${sql.raw(storedEvents({ SessionCancelled: [1] }))} c
      where c.tenant_id = s.tenant_id and c.stream_id = 'session:' || s.id
      order by c.version desc limit 1
    ) e on true)
      on s.tenant_id = l.tenant_id and s.location_id = l.id and s.status = 'cancelada' and not s.deleted
        and s.motivo <> 'personal' and s.inicio >= ${from}::timestamptz
        and (s.inicio, s.id) < (${before}::timestamptz, ${beforeId}::uuid)
    where l.id = ${locationId}::uuid and l.status = 'existing'
    order by s.inicio desc, s.id desc limit ${sql.lit(PAGE)}`.compile(db),
);
