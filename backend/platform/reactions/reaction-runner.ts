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
import { decodeAll, type Decoder } from '../projections/keys.js';
import { ProjectorPool } from '../projections/projector-pool.js';
import type { Reaction } from './define-reaction.js';
import { Reactions } from './reactions.js';

/** The first key of a lock; the second is reaction and tenant. */
const REACTION_LOCK = 7_263_004;
const EVENTS_AT_ONCE = 50;
/** Pause before the lock of a reaction that another worker runs is requested again, and how often it is. */
const HELD_MS = 20;
const MAX_ASKED = 50;

const REGISTER = 'insert into reaction (name) values ($1) on conflict do nothing';
const BEGIN_NOW = `insert into reaction_checkpoint (tenant_id, reaction, position)
  select tenant_id, $1, position from projection_checkpoint where projection = 'live'`;
/** Tenants whose projected events a reaction has not all seen. */
const unseenBy = (reaction: string) => `from projection_checkpoint l
  left join reaction_checkpoint r on r.tenant_id = l.tenant_id and r.reaction = ${reaction}
  where l.projection = 'live' and l.position > coalesce(r.position, 0)`;
/** Whether there are events of these types among them. */
const someOf = (types: string) => `exists (select from events e where e.tenant_id = l.tenant_id
  and e.position > coalesce(r.position, 0) and e.position <= l.position and e.type = any(${types}))`;
const UNSEEN = unseenBy('$1');
const FOLLOWED = someOf('$2::text[]');
const MOVED = `on conflict (tenant_id, reaction)
  do update set position = greatest(reaction_checkpoint.position, excluded.position)`;
/** Past events that the reaction does not follow. */
const SKIP = `insert into reaction_checkpoint (tenant_id, reaction, position)
  select l.tenant_id, $1, l.position ${UNSEEN} and not ${FOLLOWED} ${MOVED}`;
const BEHIND = `select l.tenant_id ${UNSEEN} and ${FOLLOWED} limit 1000`;
/** Of these tenants, those with events for a reaction, by reaction: most events are followed by one or two reactions. */
const BEHIND_AMONG = `select f.reaction, l.tenant_id
  from (select reaction, array_agg(type) as types from unnest($1::text[], $2::text[]) as t(reaction, type) group by reaction) f
  cross join lateral (select l.tenant_id ${unseenBy('f.reaction')} and ${someOf('f.types')} and l.tenant_id = any($3::uuid[])) l`;
/** An advisory lock instead of a row lock, because `SKIP` would wait for the row. */
const HOLD = `select pg_try_advisory_xact_lock(${REACTION_LOCK}, hashtext($1)) as ours`;
const CHECKPOINT = `select coalesce(r.position, 0) as position, l.position as projected ${UNSEEN} and l.tenant_id = $2`;
const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at from events
  where tenant_id = $1 and position > $2 and position <= $3 and type = any($4::text[])
  order by position limit ${EVENTS_AT_ONCE}`;
const MOVE = `insert into reaction_checkpoint (tenant_id, reaction, position) values ($1, $2, $3) ${MOVED}`;

type Step = 'finished' | 'unfinished' | 'held';

/** Runs reactions in workers: jobs name tenants, a scheduled job finds what lost ones have left. */
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
    this.queues.handle(react, ({ tenants }) => this.runFor(tenants));
    this.queues.handle(reactDue, () => this.runDue());
  }

  /** @throws where a reaction has no handler */
  async onApplicationBootstrap(): Promise<void> {
    for (const reaction of this.features.all.reactions) {
      this.reactions.handlerOf(reaction);
      await this.projectorPool.transact(async (client) => {
        const { rowCount } = await client.query(REGISTER, [reaction.name]);
        if (rowCount === 1) await client.query(BEGIN_NOW, [reaction.name]);
      });
    }
  }

  private async runFor(tenants: readonly string[]): Promise<void> {
    const all = this.features.all.reactions;
    const followed = all.flatMap(({ name, events }) => events.map((type) => ({ name, type })));
    const { rows } = await this.projectorPool.pool.query<{ reaction: string; tenant_id: string }>(
      prepared(BEHIND_AMONG, [followed.map(({ name }) => name), followed.map(({ type }) => type), tenants]),
    );
    const isDone = await this.catchUpAll(
      all.flatMap((reaction) =>
        rows
          .filter((row) => row.reaction === reaction.name)
          .map(({ tenant_id }) => ({ reaction, tenantId: tenant_id })),
      ),
    );
    if (!isDone) throw new PutOff('another worker runs the reactions');
  }

  /** Finds events whose job was lost, or that were projected by a worker of a release without the reaction. */
  private async runDue(): Promise<void> {
    for (const reaction of this.features.all.reactions) {
      const values = [reaction.name, reaction.events];
      const { pool } = this.projectorPool;
      await pool.query(prepared(SKIP, values));
      const { rows } = await pool.query<{ tenant_id: string }>(prepared(BEHIND, values));
      await this.catchUpAll(rows.map(({ tenant_id }) => ({ reaction, tenantId: tenant_id })));
    }
  }

  /** A reaction that fails delays its own tenant only. False where another worker holds one of them for long. */
  private async catchUpAll(all: readonly { reaction: Reaction; tenantId: string }[]): Promise<boolean> {
    const failures: unknown[] = [];
    let isDone = true;
    for (const { reaction, tenantId } of all) {
      try {
        if (!(await this.catchUp(reaction, tenantId))) isDone = false;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isDone;
  }

  /**
   * A worker that holds the reaction may have read before more was projected, so the lock is requested again until it is
   * free. False where it is not within a second.
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
    // What is projected meanwhile has a job of its own, which waits for this lock.
    return isLast ? 'finished' : 'unfinished';
  }
}
