import type { Statement } from '../database/batch.js';
import type { Problem } from '../http/problem.js';
import type { StoredEvent } from './event-codec.js';

export type { Statement };

/** The parts of an event that a guard may read: all of them are in the log, so the guard can be rebuilt from it. */
export type GuardedEvent = Pick<StoredEvent, 'tenantId' | 'streamId' | 'type' | 'data'>;

/**
 * Tables for a rule across streams (no double booking, no negative lot). They are written in the command's transaction,
 * under the tenant's lock, and are derived from events only, so they can be rebuilt from the log.
 */
export interface Guard {
  name: string;
  /** Increase it with every change of the rows: they are rebuilt before the next command decides. Default 1. */
  version?: number;
  /** Unqualified names in schema public, each with tenant_id. The application may select, insert and delete. */
  tables: readonly string[];
  events: readonly string[];
  /** Statements for one event, in order. They run with app.tenant set. */
  statements(event: GuardedEvent): Statement[];
  /** The refusal for each violated constraint, by constraint name. */
  violations: Record<string, () => Problem>;
}
