import * as z from 'zod/mini';

/** Why an address gets no mails of a tenant: its person wants none, reported one as spam, or one came back. */
export const mailStop = z.enum(['asked', 'complained', 'bounced']);
export type MailStop = z.infer<typeof mailStop>;
