import type { StoredEvent } from '../event-store/event-codec.js';
import { isAboutPersons } from './forgetting.js';
import type { Decoder } from './keys.js';
import type { Projection, Range } from './projection.js';

/** The changes of a batch to one tenant, published to open screens after the commit. */
export interface Projected {
  tenantId: string;
  /** That the projections have reached; 0 for changes that are in no event. */
  position: number;
  topics: Set<string>;
  /** Topics that have changed for a student, by the student's id. */
  students: Map<string, Set<string>>;
  /** Topics that have changed for every student of the tenant. */
  allStudents?: Set<string>;
  /** A projection was parked, or is live again. */
  changesLive?: boolean;
}

/** The hints for these events of these ranges. */
export function projectedOf(
  ranges: readonly Range[],
  events: readonly StoredEvent[],
  projections: readonly Projection[],
  decoder: Decoder,
): Projected[] {
  const byTenant = new Map<string, Projected>();
  for (const { tenantId, high } of ranges)
    byTenant.set(tenantId, { tenantId, position: high, topics: new Set(), students: new Map() });
  for (const event of events) {
    const changed = byTenant.get(event.tenantId)!;
    const { topics, students } = changed;
    const forgets = decoder.codec.forgottenBy(event.type, event.data) !== undefined;
    for (const projection of projections) {
      const changes = forgets && isAboutPersons(projection, decoder);
      if (!changes && !projection.events.includes(event.type)) continue;
      topics.add(projection.topic);
      const { everyStudent } = projection;
      if (everyStudent) (changed.allStudents ??= new Set()).add(everyStudent);
      if (changes || !projection.students) continue;
      if (projection.students === 'all') {
        (changed.allStudents ??= new Set()).add(projection.topic);
        continue;
      }
      const concerned = projection.students(event.data);
      for (const student of concerned) {
        students.set(student, (students.get(student) ?? new Set()).add(projection.topic));
      }
    }
  }
  return [...byTenant.values()];
}
