import type { StoredEvent } from '../event-store/event-codec.js';
import { isAboutPersons } from './forgetting.js';
import type { Decoder } from './keys.js';
import type { Projection, Range } from './projection.js';

/** What a batch did, told to open screens after it was committed. */
export interface Projected {
  tenantId: string;
  position: number;
  /** Ids of the streams that changed, by topic; null: any of them may have. */
  topics: Topics;
  /** Those of them that concern a student, by the student's id. */
  students: Map<string, Topics>;
  /** A projection was parked, or is live again. */
  changesLive?: boolean;
}

type Topics = Map<string, Set<string> | null>;

/** What screens are told of these events of these ranges. */
export function projectedOf(
  ranges: readonly Range[],
  events: readonly StoredEvent[],
  projections: readonly Projection[],
  decoder: Decoder,
): Projected[] {
  const byTenant = new Map<string, Projected>();
  for (const { tenantId, high } of ranges)
    byTenant.set(tenantId, { tenantId, position: high, topics: new Map(), students: new Map() });
  for (const event of events) {
    const { topics, students } = byTenant.get(event.tenantId)!;
    const id = event.streamId.slice(event.streamId.indexOf(':') + 1);
    const forgets = decoder.codec.forgottenBy(event.type, event.data) !== undefined;
    for (const projection of projections) {
      const changes = forgets && isAboutPersons(projection, decoder);
      if (!changes && !projection.events.includes(event.type)) continue;
      note(topics, projection.topic, id);
      const concerned = changes ? [] : (projection.students?.(event.data) ?? []);
      for (const student of concerned) {
        const own: Topics = students.get(student) ?? new Map<string, Set<string>>();
        note(own, projection.topic, id);
        students.set(student, own);
      }
    }
  }
  return [...byTenant.values()];
}

function note(topics: Topics, topic: string, id: string): void {
  const ids = topics.get(topic) ?? new Set<string>();
  topics.set(topic, ids.add(id));
}
