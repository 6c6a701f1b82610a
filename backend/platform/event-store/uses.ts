import { type CommandTransaction, defineLookUp } from './command-transaction.js';
import type { RegisteredAggregate } from './event-codec.js';
import type { Statement } from '../database/batch.js';
import type { Guard, GuardedEvent } from './guard.js';

/** Increase it when an event type changes its declaration; a new declaration changes the version by itself. */
const VERSION = 1;

/** Ids by the name of their aggregate. */
export type Used = Readonly<Record<string, string | null | undefined>>;

const TAKE = `insert into uses (tenant_id, used, holder) select $1, used, $3 from unnest($2::text[]) as used
  on conflict do nothing`;
const RELEASE = `delete from uses where tenant_id = $1 and holder = $2 and split_part(used, ':', 1) = any($3::text[])`;

const inUse = defineLookUp<Record<string, never>, [used: string, by: readonly string[] | null]>(
  `select from uses where tenant_id = $1 and used = $2 and ($3::text[] is null or split_part(holder, ':', 1) = any($3)) limit 1`,
);

/** Whether an event of any module, or of the aggregates with these names, has declared its use. */
export async function isInUse(
  tx: CommandTransaction,
  aggregate: { name: string },
  id: string,
  by: readonly string[] | null = null,
): Promise<boolean> {
  return (await tx.lookUp(inUse, `${aggregate.name}:${id}`, by)).length > 0;
}

interface Declared {
  /** Owner of a permanent use; without it, the use belongs to the stream and ends when a later event releases it. */
  holder?: string;
  of: (data: object) => Used;
}

/** The guard `uses`, generated from the declarations of all events; none where no event declares a use. */
export function usesGuards(aggregates: readonly RegisteredAggregate[]): Guard[] {
  const declared = new Map<string, Declared>();
  for (const { name, events } of aggregates) {
    for (const [type, { uses, usesNow }] of Object.entries(events)) {
      if (usesNow) declared.set(type, { of: usesNow as Declared['of'] });
      else if (typeof uses === 'function') declared.set(type, { holder: name, of: uses as Declared['of'] });
    }
  }
  if (declared.size === 0) return [];
  return [
    {
      name: 'uses',
      version: VERSION * 1_000 + declared.size,
      tables: ['uses'],
      events: [...declared.keys()],
      statements(event) {
        const { holder, of } = declared.get(event.type)!;
        const used = of(event.data);
        return holder ? taken(event, used, holder) : replaced(event, used);
      },
      violations: {},
    },
  ];
}

function taken({ tenantId }: GuardedEvent, used: Used, holder: string): Statement[] {
  const streams = Object.entries(used).flatMap(([name, id]) => (id ? [`${name}:${id}`] : []));
  return streams.length > 0 ? [{ text: TAKE, values: [tenantId, streams, holder] }] : [];
}

function replaced(event: GuardedEvent, used: Used): Statement[] {
  const names = Object.keys(used).filter((name) => used[name] !== undefined);
  if (names.length === 0) return [];
  const release = { text: RELEASE, values: [event.tenantId, event.streamId, names] };
  return [release, ...taken(event, used, event.streamId)];
}
