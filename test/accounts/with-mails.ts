import { startApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

export const SITE = 'https://rende.example';

/** How `/auth/v1` refuses a link or a code that is over, used or made up. */
export const EXPIRED = { status: 403, code: 'otp_expired' };

/** The application as it confirms addresses by mail, on a database of its own. */
export async function startWithMails(env: Record<string, string> = {}) {
  const database = await createDatabase();
  const app = await startApp({
    database,
    env: { MAILER_AUTOCONFIRM: 'false', SITE_URL: SITE, ...env },
  });
  return {
    app,
    database,
    /** Nothing is on its way any more. */
    settled: () =>
      eventually(async () => (await database.query('select from mails where done_at is null')).length, 0),
  };
}
