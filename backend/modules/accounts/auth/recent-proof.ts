import type { Query } from '../../../platform/database/database.js';

/** Minutes for which a proof of identity counts as recent. */
const RECENT = 10;

const SHOWN = `select from auth.sessions, jsonb_array_elements(amr) e
  where id = $1 and ($2::text[] is null or e ->> 'method' = any($2))
    and to_timestamp((e ->> 'timestamp')::bigint) > now() - interval '${RECENT} minutes'`;
const NOTE = `update auth.sessions set
    amr = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(amr) e where e ->> 'method' <> $2)
      || jsonb_build_array(jsonb_build_object('method', $2::text, 'timestamp', extract(epoch from now())::bigint))
  where id = $1`;

/** Whether the session has proved a second factor recently, or a passkey, which counts as both factors. */
export async function hasShownFactorJustNow(query: Query, sessionId: string): Promise<boolean> {
  const shown = await query(SHOWN, [sessionId, ['totp', 'recovery_code', 'passkey']]);
  return shown.length > 0;
}

/** Whether the session has begun recently, or has given any proof recently. */
export async function hasShownProofJustNow(query: Query, sessionId: string): Promise<boolean> {
  const shown = await query(SHOWN, [sessionId, null]);
  return shown.length > 0;
}

/** Records that the session has given a proof again. `method` as in `amr`. */
export async function noteProof(query: Query, sessionId: string, method: 'password' | 'otp'): Promise<void> {
  await query(NOTE, [sessionId, method]);
}
