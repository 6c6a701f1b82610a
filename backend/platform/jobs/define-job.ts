import { z } from 'zod';

/** When a job runs by itself: at an interval in milliseconds, or at the times of a cron pattern in a time zone. */
export type Schedule = { everyMs: number } | { cron: string; timeZone: string };

/** A kind of job; its queue has its name. Payloads hold ids only, never personal data. */
export interface JobDefinition<Payload = unknown> {
  name: string;
  /** Checked when a job is added and when it is handled. */
  payload: z.ZodType<Payload>;
  /** Jobs that a process handles at the same time. */
  concurrency: number;
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
}

type Definition<Payload> = Pick<JobDefinition<Payload>, 'name'> &
  Partial<Pick<JobDefinition<Payload>, 'concurrency' | 'attempts' | 'backoffMs' | 'sweptBy'>>;

/**
 * Defines a kind of job. Its module lists it under `jobs` of its feature and gives the handler to `Queues.handle` in
 * `onModuleInit`. Jobs with a payload are added with `Queues.add`. A job with a schedule runs once for each due time,
 * however many workers there are; after a time without workers it runs once, late, for all missed times. Any job can be
 * delivered twice, so handlers are idempotent.
 */
export function defineJob<Payload>(
  definition: Definition<Payload> & { payload: z.ZodType<Payload> },
): JobDefinition<Payload>;
export function defineJob(definition: Definition<Nothing> & { schedule: Schedule }): JobDefinition<Nothing>;
export function defineJob(
  definition: Definition<unknown> & { payload?: z.ZodType<unknown>; schedule?: Schedule },
): JobDefinition<unknown> {
  return { attempts: 4, backoffMs: 250, concurrency: 1, payload: nothing, ...definition };
}

const nothing = z.strictObject({});
type Nothing = z.infer<typeof nothing>;
