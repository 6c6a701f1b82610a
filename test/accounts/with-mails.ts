import { startApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

export const SITE = 'https://rende.example';

/** The error of `/auth/v1` for a link or code that has expired, was used or is forged. */
export const EXPIRED = { status: 403, code: 'otp_expired' };

/** The application with confirmation of addresses by mail, on its own database. */
export async function startWithMails(env: Record<string, string> = {}) {
  const database = await createDatabase();
  const app = await startApp({
    database,
    env: { MAILER_AUTOCONFIRM: 'false', SITE_URL: SITE, ...env },
  });
  return {
    app,
    database,
    /** Waits until all mails are sent. */
    settled: () =>
      eventually(async () => (await database.query('select from mails where done_at is null')).length, 0),
  };
}
