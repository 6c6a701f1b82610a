import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { withoutOutsideKeys } from '../../platform/backup/tenant-archive.js';
import { serve, together } from '../../platform/http/serve.js';
import { historyApi, historyErrors } from './history.api.js';
import { ShowHistory, ShowHistoryPlaces } from './history.queries.js';
import { ownWhyApi, whyApi, whyErrors } from './why.api.js';
import { ExplainOwnWhy, ExplainWhy } from './why.queries.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import type { Projection } from '../../platform/projections/projection.js';

/** Rows are copied from the log by SQL; only values that differ from the log are sent as parameters. */
const WRITE = `insert into history (tenant_id, subject, position, type, actor, device, recorded_at, data)
select e.tenant_id, h.subject, e.position, e.type, (e.meta ->> 'actor')::uuid, h.device, e.recorded_at,
  coalesce(h.data, e.data)
from json_to_recordset($1) as h(tenant_id uuid, subject text, position bigint, device uuid, data jsonb)
join events e on e.tenant_id = h.tenant_id and e.position = h.position
on conflict (tenant_id, subject, position) do update set data = excluded.data`;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** One row per event with history words and per subject. The words themselves are composed when it is read. */
function historyProjection(history: HistoryWords): Projection {
  return {
    name: 'history',
    version: 4,
    topic: 'history',
    tables: ['history'],
    events: Object.keys(history),
    needsEvents: true,
    writes({ events }) {
      const rows = events.flatMap(({ tenantId, position, type, data, meta, isAsStored }) =>
        [...new Set(history[type]!.subjects(data as never, tenantId))].map((subject) => ({
          tenant_id: tenantId,
          subject,
          position,
          device: meta.device !== null && UUID.test(meta.device) ? meta.device : null,
          data: isAsStored ? undefined : data,
        })),
      );
      return [{ text: WRITE, values: [JSON.stringify(rows, withoutOutsideKeys)] }];
    },
  };
}

/**
 * Two reads answer from the log. The history of a thing lists all that happened to it, newest first. Why (`why.queries.ts`) gives
 * one chain, from what a thing is back to what it comes from: a credit, its session and the rule in force, the lot, the charge,
 * its payment, and the clause of the contract that was signed by then; previsto of a month, its parts, and what set each amount. Each
 * module says of its own things what happened to them
 * and what they come from (`feature.why`); the walk, who acted, and what a student may hear is here, for all of them.
 */
@Module(
  together(
    serve(historyApi, { show: ShowHistory }),
    serve(whyApi, { explain: ExplainWhy }),
    serve(ownWhyApi, { explain: ExplainOwnWhy }),
    { providers: [ShowHistoryPlaces.Handler] },
  ),
)
export class AuditModule {
  static readonly feature: Feature = {
    projections: [historyProjection],
    errors: { ...historyErrors, ...whyErrors },
  };
}
