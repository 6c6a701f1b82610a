import { sql } from 'kysely';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import type { PolicyTerms } from '../policies/policies.api.js';

/** The cancellation policy that applies to a session: that of its location at the time of the booking. */

const TERMS = `select (p.data->>'cancel_limite_horas')::int as cancel_limite_horas,
    (p.data->>'taxa_percent')::int as taxa_percent, (p.data->>'queima_credito')::boolean as queima_credito
  from ${storedEvents({ CancellationPolicySet: [1] })} p
  join events b on b.tenant_id = p.tenant_id and b.version = 1`;

/** The terms of the session `$3` at the location `$2`; no row if the location had no policy then. */
export const termsWhenBooked = defineLookUp<
  PolicyTerms & Record<string, unknown>,
  [locationId: string, sessionId: string]
>(
  `${TERMS} and b.stream_id = 'session:' || $3::text
  where p.tenant_id = $1 and p.stream_id = 'cancellation-policy:' || $2::text and p.position < b.position
  order by p.version desc limit 1`,
);

/** The terms of the session `s`, for a left join. */
export const termsOfSession = sql<PolicyTerms>`(${sql.raw(TERMS)} and b.stream_id = 'session:' || s.id
  where p.tenant_id = s.tenant_id and p.stream_id = 'cancellation-policy:' || s.location_id and p.position < b.position
  order by p.version desc limit 1)`.as('c');
