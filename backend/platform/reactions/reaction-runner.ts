import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import type { Query } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { derivedId } from '../derived-id.js';
import { EventCodec, type EventRow } from '../event-store/event-codec.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { PutOff } from '../jobs/define-job.js';
import { react, reactDue } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { traced, type TraceParent } from '../ops/tracing.js';
import { decodeAll, type Decoder } from '../projections/keys.js';
import { ProjectorPool } from '../projections/projector-pool.js';
import { type Reaction, Reactions } from './define-reaction.js';

/** The first key of a lock; the second is computed from reaction and tenant. */
const REACTION_LOCK = 7_263_004;
const EVENTS_AT_ONCE = 50;
/** Pause before a lock that another worker holds is requested again, and number of requests. */
const HELD_MS = 20;
const MAX_ASKED = 50;

const REGISTER = 'insert into reaction (name) values ($1) on conflict do nothing';
const BEGIN_NOW = `insert into reaction_checkpoint (tenant_id, reaction, position)
  select tenant_id, $1, position from projection_checkpoint where projection = 'shared'`;
/** Tenants with projected events that a reaction has not processed. */
const unseenBy = (reaction: string) => `from projection_checkpoint l
  left join reaction_checkpoint r on r.tenant_id = l.tenant_id and r.reaction = ${reaction}
  where l.projection = 'shared' and l.position > coalesce(r.position, 0)`;
/**
 * Whether the tenant `l` has events of the types of `f` between the positions of `r` and `l`. `offset 0` keeps the planner from
 * reading the whole log for a few tenants.
 */
const HAS_SOME = `exists (select from events e where e.tenant_id = l.tenant_id
  and e.position > coalesce(r.position, 0) and e.position <= l.position and e.type = any(f.types) offset 0)`;
const MOVED = `on conflict (tenant_id, reaction)
  do update set position = greatest(reaction_checkpoint.position, excluded.position)`;
const FOLLOWED = `(select reaction, array_agg(type) as types from unnest($1::text[], $2::text[]) as t(reaction, type)
  group by reaction)`;
/** Of these tenants, those with events for a reaction, by reaction: most events are followed by one or two reactions. */
const BEHIND_AMONG = `select f.reaction, l.tenant_id from ${FOLLOWED} f
  cross join lateral (select l.tenant_id ${unseenBy('f.reaction')} and ${HAS_SOME} and l.tenant_id = any($3::uuid[])) l`;

const NIL = '00000000-0000-0000-0000-000000000000';
const TENANTS_AT_ONCE = 1_000;
/** Tenants with events since the last sweep, and up to where they are projected. */
const UNSWEPT = `select l.tenant_id, l.position from projection_checkpoint l
  left join reaction_sweep s on s.tenant_id = l.tenant_id and s.reactions = $1
  where l.projection = 'shared' and l.position > coalesce(s.position, 0) and l.tenant_id > $2
  order by l.tenant_id limit ${TENANTS_AT_ONCE}`;
const PROJECTED = `unnest($3::uuid[], $4::bigint[]) as l(tenant_id, position)`;
/** Moves reactions past events that they do not follow. */
const SKIP = `insert into reaction_checkpoint (tenant_id, reaction, position)
  select l.tenant_id, f.reaction, l.position from ${FOLLOWED} f cross join ${PROJECTED}
  left join reaction_checkpoint r on r.tenant_id = l.tenant_id and r.reaction = f.reaction
  where l.position > coalesce(r.position, 0) and not ${HAS_SOME} ${MOVED}`;
const SWEPT = `insert into reaction_sweep (tenant_id, reactions, position)
  select l.tenant_id, $1, l.position from ${PROJECTED}
  where not exists (select from unnest($2::text[]) as f(reaction)
    left join reaction_checkpoint r on r.tenant_id = l.tenant_id and r.reaction = f.reaction
    where l.position > coalesce(r.position, 0) offset 0)
  on conflict (tenant_id) do update set reactions = excluded.reactions, position = excluded.position`;
/** An advisory lock instead of a row lock, because `SKIP` would wait for the row. */
const HOLD = `select pg_try_advisory_xact_lock(${REACTION_LOCK}, hashtext($1)) as ours`;
const CHECKPOINT = `select coalesce(r.position, 0) as position, l.position as projected ${unseenBy('$1')} and l.tenant_id = $2`;
const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at from events
  where tenant_id = $1 and position > $2 and position <= $3 and type = any($4::text[])
  order by position limit ${EVENTS_AT_ONCE}`;
const MOVE = `insert into reaction_checkpoint (tenant_id, reaction, position) values ($1, $2, $3) ${MOVED}`;

type Step = 'finished' | 'unfinished' | 'held';

/** Runs reactions in workers: jobs name tenants, and a scheduled job finds what lost jobs have left. */
@Injectable()
export class ReactionRunner implements OnModuleInit, OnApplicationBootstrap {
  private readonly decoder: Decoder;

  constructor(
    private readonly projectorPool: ProjectorPool,
    codec: EventCodec,
    personalData: PersonalData,
    private readonly features: FeatureRegistry,
    private readonly reactions: Reactions,
    private readonly queues: Queues,
  ) {
    this.decoder = { codec, personalData };
  }

  onModuleInit(): void {
    this.queues.handle(react, async ({ tenants }, { traces }) => {
      if (!(await this.runFor(tenants, traces))) throw new PutOff('another worker runs the reactions');
    });
    this.queues.handle(reactDue, () => this.runDue());
  }

  /** @throws if a reaction has no handler */
  async onApplicationBootstrap(): Promise<void> {
    for (const reaction of this.features.all.reactions) {
      this.reactions.handlerOf(reaction);
      await this.projectorPool.transact(async (client) => {
        const { rowCount } = await client.query(REGISTER, [reaction.name]);
        if (rowCount === 1) await client.query(BEGIN_NOW, [reaction.name]);
      });
    }
  }

  /** Runs the reactions that have unseen events of these tenants, as `catchUpAll`. */
  private async runFor(tenants: readonly string[], traces: readonly TraceParent[] = []): Promise<boolean> {
    const { rows } = await this.projectorPool.pool.query<{ reaction: string; tenant_id: string }>(
      prepared(BEHIND_AMONG, [...this.followed(), tenants]),
    );
    return this.catchUpAll(
      this.features.all.reactions.flatMap((reaction) =>
        rows
          .filter((row) => row.reaction === reaction.name)
          .map(({ tenant_id: tenantId }) => ({
            reaction,
            tenantId,
            trace: traces[tenants.indexOf(tenantId)],
          })),
      ),
    );
  }

  /**
   * Finds events whose job was lost, or that were projected by a worker of a release without the reaction. Tenants whose
   * reactions have seen everything are not looked at again before they have newer events.
   */
  private async runDue(): Promise<void> {
    const { pool } = this.projectorPool;
    const followed = this.followed();
    const reactions = createHash('sha256').update(JSON.stringify(followed)).digest('base64url');
    const failures: unknown[] = [];
    let last = NIL;
    for (;;) {
      const { rows } = await pool.query<{ tenant_id: string; position: number }>(
        prepared(UNSWEPT, [reactions, last]),
      );
      if (rows.length === 0) break;
      const tenants = rows.map(({ tenant_id }) => tenant_id);
      const positions = rows.map(({ position }) => position);
      await this.runFor(tenants).catch((error: unknown) => failures.push(error));
      await pool.query(prepared(SKIP, [...followed, tenants, positions]));
      await pool.query(prepared(SWEPT, [reactions, followed[0], tenants, positions]));
      last = tenants.at(-1)!;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** All pairs of a reaction and an event type that it follows, as two lists. */
  private followed(): [reactions: string[], types: string[]] {
    const pairs = this.features.all.reactions.flatMap(({ name, events }) =>
      events.map((type) => ({ name, type })),
    );
    return [pairs.map(({ name }) => name), pairs.map(({ type }) => type)];
  }

  /** A failing reaction delays only its own tenant. False if another worker holds one of them for too long. */
  private async catchUpAll(
    all: readonly { reaction: Reaction; tenantId: string; trace: TraceParent | undefined }[],
  ): Promise<boolean> {
    const failures: unknown[] = [];
    let isDone = true;
    for (const { reaction, tenantId, trace } of all) {
      const attributes = { 'rende.tenant_id': tenantId };
      const catchUp = () => this.catchUp(reaction, tenantId);
      try {
        if (!(await traced(`reaction ${reaction.name}`, attributes, catchUp, trace))) isDone = false;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isDone;
  }

  /**
   * A worker that holds the lock may have read before further events were projected, so the lock is requested again
   * until it is free. False if that takes longer than a second.
   */
  private async catchUp(reaction: Reaction, tenantId: string): Promise<boolean> {
    for (let held = 0; held < MAX_ASKED;) {
      const step = await this.step(reaction, tenantId);
      if (step === 'finished') return true;
      if (step === 'unfinished') continue;
      held += 1;
      await delay(HELD_MS);
    }
    return false;
  }

  private async step(reaction: Reaction, tenantId: string): Promise<Step> {
    const after: (() => void)[] = [];
    const step = await this.projectorPool.transact((client) =>
      this.stepIn(client, reaction, tenantId, after),
    );
    for (const each of after) each();
    return step;
  }

  private async stepIn(
    client: pg.ClientBase,
    { name, events: types }: Reaction,
    tenantId: string,
    after: (() => void)[],
  ): Promise<Step> {
    const holding = await client.query<{ ours: boolean }>(prepared(HOLD, [`${name}/${tenantId}`]));
    if (!holding.rows[0]!.ours) return 'held';
    const found = await client.query<{ position: number; projected: number }>(
      prepared(CHECKPOINT, [name, tenantId]),
    );
    const [checkpoint] = found.rows;
    if (!checkpoint) return 'finished';
    const { position, projected } = checkpoint;
    const { rows } = await client.query<EventRow>(prepared(EVENTS, [tenantId, position, projected, types]));
    const query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
      (await client.query<Row>(prepared(text, values))).rows;
    const handler = this.reactions.handlerOf({ name, events: types });
    for (const event of await decodeAll(client, rows, this.decoder)) {
      const done = await handler({ id: derivedId(`${name}/${tenantId}/${event.position}`), event, query });
      if (done) after.push(done);
    }
    const isLast = rows.length < EVENTS_AT_ONCE;
    await client.query(prepared(MOVE, [tenantId, name, isLast ? projected : rows.at(-1)!.position]));
    // Events that are projected meanwhile have a job of their own, which waits for this lock.
    return isLast ? 'finished' : 'unfinished';
  }
}
