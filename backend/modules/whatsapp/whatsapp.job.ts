import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.js';

/** Sends what is due, and tests connections that were not tested: after lost jobs, failures or quiet hours. */
export const sendDueWhatsApp = defineJob({ name: 'whatsapp-due', schedule: { everyMs: 10_000 } });

/** Sends one message. */
export const sendWhatsApp = defineJob({
  name: 'whatsapp',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid(), messageId: z.uuid() }),
  sweptBy: sendDueWhatsApp,
});

/** Asks Meta for the number and the templates of a trainer's connection. */
export const checkWhatsApp = defineJob({
  name: 'whatsapp-check',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid() }),
  sweptBy: sendDueWhatsApp,
});
