import type { Query } from '../../../platform/database/database.js';

/** Minutes for which what was shown still says that its owner is the one at the screen. */
const RECENT = 10;

const SHOWN = `select from auth.sessions, jsonb_array_elements(amr) e
  where id = $1 and ($2::text[] is null or e ->> 'method' = any($2))
    and to_timestamp((e ->> 'timestamp')::bigint) > now() - interval '${RECENT} minutes'`;
const NOTE = `update auth.sessions set
    amr = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(amr) e where e ->> 'method' <> $2)
      || jsonb_build_array(jsonb_build_object('method', $2::text, 'timestamp', extract(epoch from now())::bigint))
  where id = $1`;

/** Whether the session has shown a second factor just now: whoever finds an open screen has not. */
export async function hasShownFactorJustNow(query: Query, sessionId: string): Promise<boolean> {
  const shown = await query(SHOWN, [sessionId, ['totp', 'recovery_code']]);
  return shown.length > 0;
}

/** Whether it has begun, or has shown anything else, just now. */
export async function hasShownProofJustNow(query: Query, sessionId: string): Promise<boolean> {
  const shown = await query(SHOWN, [sessionId, null]);
  return shown.length > 0;
}

/** The session has shown a proof once more. `method` as `amr` names it. */
export async function noteProof(query: Query, sessionId: string, method: 'password' | 'otp'): Promise<void> {
  await query(NOTE, [sessionId, method]);
}
