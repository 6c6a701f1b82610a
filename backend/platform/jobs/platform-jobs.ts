import { z } from 'zod';
import { defineJob } from './define-job.js';

/** Projects tenants that have new events. */
export const projectTenants = defineJob({
  name: 'projections',
  queue: 'projections',
  payload: z.strictObject({ tenants: z.array(z.uuid()) }),
});

/** Runs all reactions that are due, because their job was lost or failed. */
export const reactDue = defineJob({ name: 'reactions-due', schedule: { everyMs: 10_000 } });

/** Runs the reactions that are due for tenants. */
export const react = defineJob({
  name: 'reactions',
  queue: 'reactions',
  payload: z.strictObject({ tenants: z.array(z.uuid()) }),
  sweptBy: reactDue,
});

/** Sends the mails that are due, because their job was lost or they failed before. */
export const sendDueMails = defineJob({ name: 'mail-due', schedule: { everyMs: 5_000 } });

/** Sends a mail of the outbox. */
export const sendMail = defineJob({
  name: 'mail',
  queue: 'mail',
  payload: z.strictObject({ mailId: z.uuid() }),
  sweptBy: sendDueMails,
});

/** Deletes expired rows, by the statements that modules list as `purges`. */
export const purge = defineJob({ name: 'purge', schedule: { everyMs: 3_600_000 } });

/** Builds projections that are new or have a newer version. */
export const buildProjections = defineJob({ name: 'projection-builds', schedule: { everyMs: 2_000 } });

/** Tries parked projections again. */
export const resumeProjections = defineJob({ name: 'projection-resume', schedule: { everyMs: 30_000 } });

/** Jobs of the platform itself; modules list theirs in their feature. */
export const platformJobs = [
  projectTenants,
  buildProjections,
  resumeProjections,
  react,
  reactDue,
  sendMail,
  sendDueMails,
  purge,
];
