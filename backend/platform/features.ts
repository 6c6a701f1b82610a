import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type pg from 'pg';
import type { Config } from './config/env.js';
import type { RegisteredAggregate } from './event-store/event-codec.js';
import type { Guard } from './event-store/guard.js';
import type { Effects } from './event-store/effect.js';
import type { HistoryWords } from './event-store/history.js';
import type { WhySource } from './event-store/why.js';
import { usesGuards } from './event-store/uses.js';
import { type ErrorTable, platformErrors } from './http/common.api.js';
import type { OwnFailures } from './http/failure.js';
import { mergeErrorTables } from './http/problem.js';
import type { JobDefinition } from './jobs/define-job.js';
import type { Projection } from './projections/projection.js';
import type { Reaction } from './reactions/define-reaction.js';

/** Runs as the owner of the database and returns the message for the operator. */
export type OwnerCommand = (
  config: Config,
  client: pg.ClientBase,
  /** Its arguments, as the usage text shows them. */
  words: readonly string[],
) => Promise<string>;

/**
 * What a module adds to the copy of a person's data: statements under a tenant's row security, by file name, with the field
 * names of the API.
 */
export interface OwnData {
  /** Of a trainer, including removed entities, since they are stored. */
  trainer?: Readonly<Record<string, string>>;
  /** The same, also written as CSV. */
  sheets?: Readonly<Record<string, string>>;
  /** Of the student `$1`, without the trainer's private notes. */
  student?: Readonly<Record<string, string>>;
}

/** What a module registers with the platform; a module class carries it as `static readonly feature`. */
export interface Feature {
  aggregates?: readonly RegisteredAggregate[];
  guards?: readonly Guard[];
  /** Projections; a function gets the history texts of all modules. */
  projections?: readonly (Projection | ((history: HistoryWords) => Projection))[];
  /** The history text of each event type. */
  history?: HistoryWords;
  /** How the module's things say why they are as they are, by their kinds. */
  why?: Readonly<Record<string, WhySource>>;
  /** What the module's events move, as an undo announces it. */
  effects?: Effects;
  ownData?: OwnData;
  errors?: ErrorTable;
  /** Reactions, whose handlers the module registers. */
  reactions?: readonly Reaction[];
  /** Kinds of jobs, whose handlers the module registers. */
  jobs?: readonly JobDefinition[];
  /** Statements that delete expired rows; the worker runs them once an hour as rende_projector. */
  purges?: readonly string[];
  /** Commands of the command line, by name. */
  commands?: Readonly<Record<string, OwnerCommand>>;
  /** Paths under which errors are answered in another format than problem details. */
  failures?: readonly OwnFailures[];
}

/** The features of all modules, merged. */
export interface Features extends Required<Omit<Feature, 'ownData'>> {
  projections: readonly Projection[];
  jobs: readonly JobDefinition[];
  failures: readonly OwnFailures[];
  ownData: readonly OwnData[];
}

/** Merges the features of all modules of the application, at the first access. */
export class FeatureRegistry {
  private gathered: Features | undefined;

  constructor(private readonly modules: () => readonly unknown[]) {}

  get all(): Features {
    this.gathered ??= this.gather();
    return this.gathered;
  }

  private gather(): Features {
    const features = this.modules()
      .map((module) => (module as { feature?: Feature } | undefined)?.feature)
      .filter((feature) => feature !== undefined);
    const aggregates = features.flatMap((feature) => feature.aggregates ?? []);
    const history = Object.assign({}, ...features.map((feature) => feature.history ?? {})) as HistoryWords;
    return {
      aggregates,
      guards: [...features.flatMap(({ guards }) => guards ?? []), ...usesGuards(aggregates)],
      projections: features
        .flatMap(({ projections }) => projections ?? [])
        .map((projection) => (typeof projection === 'function' ? projection(history) : projection)),
      history,
      effects: Object.assign({}, ...features.map(({ effects }) => effects ?? {})) as Effects,
      why: Object.assign({}, ...features.map(({ why }) => why ?? {})) as Record<string, WhySource>,
      commands: Object.assign({}, ...features.map(({ commands }) => commands ?? {})) as Record<
        string,
        OwnerCommand
      >,
      reactions: features.flatMap(({ reactions }) => reactions ?? []),
      jobs: features.flatMap(({ jobs }) => jobs ?? []),
      purges: features.flatMap(({ purges }) => purges ?? []),
      failures: features.flatMap(({ failures }) => failures ?? []),
      ownData: features.flatMap(({ ownData }) => ownData ?? []),
      errors: mergeErrorTables([platformErrors, ...features.map(({ errors }) => errors ?? {})]),
    };
  }
}

/** The features of the modules that a module imports, without an application around them. */
export function featuresOf(root: Type): FeatureRegistry {
  return new FeatureRegistry(() => Reflect.getMetadata(MODULE_METADATA.IMPORTS, root) as unknown[]);
}
