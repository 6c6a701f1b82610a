import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.js';

/** Sends one notification to one browser. */
export const sendPush = defineJob({
  name: 'push',
  payload: z.strictObject({ tenantId: z.uuid(), deliveryId: z.uuid() }),
  concurrency: 5,
});

/** Sends those that are due: whose job was lost, that failed before, or that quiet hours held back. */
export const sendDuePushes = defineJob({ name: 'push-due', schedule: { everyMs: 10_000 } });
