import type { Statement } from '../database/batch.js';
import type { Problem } from '../http/problem.js';
import type { DomainEvent } from './aggregate.js';
import type { StoredEvent } from './event-codec.js';

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

/** A statement of a guard and its values from `$2` on: `$1` is the tenant's id. */
export type Write = readonly [text: string, ...values: unknown[]];

/** A guard whose rows follow from these types of events, each with what it writes, in order. */
export function defineGuard<Event extends DomainEvent>({
  writes,
  violations = {},
  ...named
}: Pick<Guard, 'name' | 'version' | 'tables'> & {
  writes: { [Type in Event['type']]?: (data: Extract<Event, { type: Type }>['data']) => readonly Write[] };
  violations?: Guard['violations'];
}): Guard {
  const byType = writes as Record<string, ((data: object) => readonly Write[]) | undefined>;
  return {
    ...named,
    violations,
    events: Object.keys(writes),
    statements: ({ tenantId, type, data }) =>
      (byType[type]?.(data) ?? []).map(([text, ...values]) => ({ text, values: [tenantId, ...values] })),
  };
}
