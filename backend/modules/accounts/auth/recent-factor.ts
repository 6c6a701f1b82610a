import type { Query } from '../../../platform/database/database.js';

/** Minutes for which a code that was typed still says that its owner is the one at the screen. */
const RECENT = 10;

const SHOWN = `select from auth.sessions, jsonb_array_elements(amr) e
  where id = $1 and e ->> 'method' in ('totp', 'recovery_code')
    and to_timestamp((e ->> 'timestamp')::bigint) > now() - interval '${RECENT} minutes'`;

/** Whether the session has shown a second factor just now: whoever finds an open screen has not. */
export async function hasShownFactorJustNow(query: Query, sessionId: string): Promise<boolean> {
  const shown = await query(SHOWN, [sessionId]);
  return shown.length > 0;
}
