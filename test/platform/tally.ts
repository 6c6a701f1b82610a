import { Global, Module } from '@nestjs/common';
import type { Aggregate } from '../../backend/platform/event-store/aggregate.js';
import type { CommandContext } from '../../backend/platform/event-store/context.js';
import { defineGuard } from '../../backend/platform/event-store/guard.js';
import type { Feature } from '../../backend/platform/features.js';
import { IdentityGuard } from '../../backend/platform/http/identity.guard.js';
import { Problem } from '../../backend/platform/http/problem.js';
import { SessionVerifier } from '../../backend/platform/realtime/session-verifier.js';
import { rowProjection, sqlProjection } from '../../backend/platform/projections/projection.js';
import type { TestDatabase } from '../support/database.js';

// A minimal module that tests the platform alone: tallies to which commands add, and which never become negative.

interface Tallied {
  type: 'Tallied';
  data: { tally_id: string; amount: number; note: string | null };
}

/** The note of the tally, its personal data, is forgotten. */
interface TallyForgotten {
  type: 'TallyForgotten';
  data: { tally_id: string };
}

export type TallyEvent = Tallied | TallyForgotten;

export interface Tally {
  sum: number;
  /** The last note. */
  note: string | null;
}

export const tally: Aggregate<Tally, TallyEvent> = {
  name: 'tally',
  initialState: { sum: 0, note: null },
  evolve: (state, { type, data }) =>
    type === 'Tallied' ? { sum: state.sum + data.amount, note: data.note } : state,
  events: {
    Tallied: { schemaVersion: 1, personal: { person: ({ tally_id }) => tally_id, fields: ['note'] } },
    TallyForgotten: { schemaVersion: 1, forgets: ({ tally_id }) => tally_id },
  },
};

export class AddToTally {
  constructor(
    readonly context: CommandContext,
    readonly tallyId: string,
    readonly amount: number,
    readonly note: string | null = null,
  ) {}
}

export function tallied({ tallyId, amount, note }: AddToTally): Tallied {
  return { type: 'Tallied', data: { tally_id: tallyId, amount, note } };
}

const limit = defineGuard<Tallied>({
  name: 'tally-limit',
  tables: ['tally_limits'],
  writes: {
    Tallied: ({ tally_id, amount }) => [
      [
        'insert into tally_limits (tenant_id, id, remaining) values ($1, $2, 0) on conflict do nothing',
        tally_id,
      ],
      [
        'update tally_limits set remaining = remaining + $3 where tenant_id = $1 and id = $2',
        tally_id,
        amount,
      ],
    ],
  },
  violations: { tally_limits_not_negative: () => new Problem('tally.below_zero') },
});

interface TallyRow {
  total: number;
  note: string | null;
  versions: number[];
}

const talliesOf = (version: number, factor: number) =>
  rowProjection<TallyRow, Tallied>({
    name: 'tallies',
    version,
    topic: 'tallies',
    table: 'tallies',
    events: ['Tallied'],
    keys: ({ data }) => [data.tally_id],
    evolve: (row, { data, version }) => {
      if (data.amount === POISON) throw new Error('an amount that this projection cannot take');
      return {
        total: (row?.total ?? 0) + factor * data.amount,
        note: data.note,
        versions: [...(row?.versions ?? []), version],
      };
    },
  });

const tallySums = sqlProjection({
  name: 'tally-sums',
  topic: 'tally-sums',
  tables: ['tally_sums'],
  events: { Tallied: [1] },
  statements: [
    `insert into tally_sums as s (tenant_id, total, events)
     select tenant_id, sum((data->>'amount')::bigint), count(*) from batch group by tenant_id
     on conflict (tenant_id) do update set total = s.total + excluded.total, events = s.events + excluded.events`,
  ],
});

const tallyCounts = sqlProjection({
  name: 'tally-counts',
  topic: 'tally-counts',
  tables: ['tally_counts'],
  events: { Tallied: [1] },
  statements: [
    `insert into tally_counts as c (tenant_id, total) select tenant_id, count(*) from batch group by tenant_id
     on conflict (tenant_id) do update set total = c.total + excluded.total`,
  ],
});

/** The amount that the projection `tallies` cannot take while `poison.active`. */
const AMOUNT_OF_POISON = 666;
let POISON: number | undefined;
export const poison = {
  amount: AMOUNT_OF_POISON,
  set active(isActive: boolean) {
    POISON = isActive ? AMOUNT_OF_POISON : undefined;
  },
};

/** The guards of an application without routes. */
const nobody = {
  providers: [
    { provide: IdentityGuard, useValue: { canActivate: () => false } },
    { provide: SessionVerifier, useValue: { verify: () => Promise.reject(new Error('no sessions here')) } },
  ],
  exports: [IdentityGuard, SessionVerifier],
};

@Global()
@Module(nobody)
export class TallyModule {
  static readonly feature: Feature = {
    aggregates: [tally],
    guards: [limit],
    projections: [talliesOf(1, 1), tallySums],
    errors: { 'tally.below_zero': { status: 422, title: 'Abaixo de zero' } },
  };
}

/** Guard: no tally is above 100. */
const cap = defineGuard<Tallied>({
  name: 'tally-cap',
  tables: ['tally_caps'],
  writes: {
    Tallied: ({ tally_id, amount }) => {
      if (amount === POISON) throw new Error('an amount that this guard cannot take');
      return [
        [
          `insert into tally_caps as c (tenant_id, id, total) values ($1, $2, $3)
            on conflict (tenant_id, id) do update set total = c.total + excluded.total`,
          tally_id,
          amount,
        ],
      ];
    },
  },
  violations: { tally_caps_not_above: () => new Problem('tally.above_cap') },
});

/** The next release as commands see it: with another guard. */
@Global()
@Module(nobody)
export class CappedTallyModule {
  static readonly feature: Feature = {
    ...TallyModule.feature,
    guards: [limit, cap],
    errors: { ...TallyModule.feature.errors, 'tally.above_cap': { status: 422, title: 'Acima do limite' } },
  };
}

/** The next release: with another projection, and one whose rows have ten times the amounts. */
@Global()
@Module(nobody)
export class NextTallyModule {
  static readonly feature: Feature = {
    ...TallyModule.feature,
    projections: [talliesOf(2, 10), tallySums, tallyCounts],
  };
}

/** Creates the tables of the tally module, which no migration creates. */
export async function createTallyTables(database: TestDatabase): Promise<void> {
  await database.query(`
    set role rende_owner;
    create table public.tally_limits (tenant_id uuid, id uuid, remaining bigint,
      primary key (tenant_id, id), constraint tally_limits_not_negative check (remaining >= 0));
    select prepare_tenant_table('public.tally_limits', 'select, insert, update, delete');
    create table public.tally_caps (tenant_id uuid, id uuid, total bigint,
      primary key (tenant_id, id), constraint tally_caps_not_above check (total <= 100));
    select prepare_tenant_table('public.tally_caps', 'select, insert, update, delete');
    create table read.tallies (tenant_id uuid, id uuid, total bigint, note text, versions int[], primary key (tenant_id, id));
    select prepare_read_table('read.tallies');
    create table read.tally_counts (tenant_id uuid primary key, total bigint);
    select prepare_read_table('read.tally_counts');
    create index tallies_by_total on read.tallies (tenant_id, total) where total > 0;
    create table read.tally_sums (tenant_id uuid primary key, total bigint, events bigint);
    select prepare_read_table('read.tally_sums');
    reset role;
  `);
}
