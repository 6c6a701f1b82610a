import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.js';

/** Sends due pushes: after lost jobs, failures or quiet hours. */
export const sendDuePushes = defineJob({ name: 'push-due', schedule: { everyMs: 10_000 } });

/** Sends one notification to one browser. */
export const sendPush = defineJob({
  name: 'push',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid(), deliveryId: z.uuid() }),
  sweptBy: sendDuePushes,
});
