import { rowProjection } from '../../platform/projections/projection.js';
import { type KnownSession, session, type SessionEvent } from './session.js';

/** Sessions as their events fold; deleted ones stay, so that they can be restored. */
export const sessions = rowProjection<KnownSession>({
  name: 'sessions',
  topic: 'sessions',
  table: 'sessions',
  events: Object.keys(session.events),
  keys: ({ data }) => [data.session_id as string],
  evolve: (row, event) => session.evolve(row, event as unknown as SessionEvent) ?? null,
});
