import { z } from 'zod';
import type { TraceParent } from '../ops/tracing.js';

/** When a job runs by itself: at an interval in milliseconds, or at the times of a cron pattern in a time zone. */
export type Schedule = { everyMs: number } | { cron: string; timeZone: string };

/**
 * The queues, and how many jobs of each a process handles at the same time. Kinds of jobs share a queue if they wait for the
 * same thing, so that what takes long delays nothing that is waited for.
 */
export const QUEUES = {
  /** What every open screen waits for. Jobs share batches, and may wait for a tenant that another worker holds. */
  projections: 20,
  reactions: 5,
  mail: 5,
  /** Servers outside, which may be slow: browsers' push services, Pix providers, calendars. */
  outgoing: 12,
  /** Exports and PDFs. */
  files: 4,
  /** Enough that no scheduled job waits for another one. */
  schedules: 30,
} as const;

export type QueueName = keyof typeof QUEUES;

/** A kind of job. Payloads hold ids only, never personal data. */
export interface JobDefinition<Payload = unknown> {
  name: string;
  queue: QueueName;
  /** Checked when a job is added and when it is handled. */
  payload: z.ZodType<Payload>;
  /** How often a job is tried before it counts as failed. */
  attempts: number;
  /** Pause before the second attempt; it doubles with each further one. */
  backoffMs: number;
  /** A scheduled job has no payload, since only its schedule adds it. */
  schedule?: Schedule;
  /** The scheduled job that does what a failed one has left, if it finds all of it in the database. */
  sweptBy?: JobDefinition;
}

/**
 * Thrown by a handler whose job has to wait, such as for a tenant that another worker holds. The job runs again after
 * its backoff. This uses up no attempt, and counts as put off instead of failed, unless the job has to wait 200 times.
 */
export class PutOff extends Error {}

/** One job, identical at every attempt. */
export interface JobRun {
  /** Unique among the jobs of its kind; a row may store it to mark the job as done. */
  id: string;
  /** When it was due: by its schedule, or when it was added. It may run later. */
  dueAt: Date;
  /** The traces that it goes on with: one, or one for each tenant that it names; empty where it was added outside of any. */
  traces: readonly TraceParent[];
}

type Definition<Payload> = Pick<JobDefinition<Payload>, 'name'> &
  Partial<Pick<JobDefinition<Payload>, 'attempts' | 'backoffMs' | 'sweptBy'>>;

/**
 * Defines a kind of job. Its module lists it under `jobs` of its feature and gives the handler to `Queues.handle` in
 * `onModuleInit`. Jobs with a payload are added with `Queues.add`. A job with a schedule runs once for each due time,
 * however many workers there are; after a time without workers it runs once, late, for all missed times. Any job can be
 * delivered twice, so handlers are idempotent.
 */
export function defineJob<Payload>(
  definition: Definition<Payload> & { queue: QueueName; payload: z.ZodType<Payload> },
): JobDefinition<Payload>;
export function defineJob(definition: Definition<Nothing> & { schedule: Schedule }): JobDefinition<Nothing>;
export function defineJob(
  definition: Definition<unknown> & { queue?: QueueName; payload?: z.ZodType<unknown>; schedule?: Schedule },
): JobDefinition<unknown> {
  return { attempts: 4, backoffMs: 250, queue: 'schedules', payload: nothing, ...definition };
}

const nothing = z.strictObject({});
type Nothing = z.infer<typeof nothing>;
