import type { HistoryWords } from '../../platform/event-store/history.js';
import type { Projection } from '../../platform/projections/projection.js';

const WRITE = `insert into history select * from jsonb_populate_recordset(null::history, $1)
on conflict (tenant_id, subject, position) do update set data = excluded.data`;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Each event that has words, once for each of its subjects. The words are found when it is read. */
export function historyProjection(history: HistoryWords): Projection {
  return {
    name: 'history',
    topic: 'history',
    tables: ['history'],
    events: Object.keys(history),
    needsEvents: true,
    writes({ events }) {
      const rows = events.flatMap(({ tenantId, position, type, data, meta, recordedAt }) =>
        [...new Set(history[type]!.subjects(data as never, tenantId))].map((subject) => ({
          tenant_id: tenantId,
          subject,
          position,
          type,
          actor: meta.actor,
          device: meta.device !== null && UUID.test(meta.device) ? meta.device : null,
          recorded_at: recordedAt,
          data,
        })),
      );
      return [{ text: WRITE, values: [JSON.stringify(rows)] }];
    },
  };
}
