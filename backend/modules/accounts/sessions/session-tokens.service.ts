import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Query } from '../../../platform/database/database.js';
import { logSecurity } from '../../../platform/ops/security-log.js';
import { AuthError } from '../auth/auth-error.js';
import { type AuthMethod, type TokenSession, toAuthUser, type UserRow } from '../users/auth-user.js';
import { Secrets } from '../secrets/secrets.service.js';
import { AccessTokens } from './access-tokens.service.js';
import type { Device } from './devices.service.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { encodeRefreshToken } from './refresh-token.codec.js';

export interface SessionRow extends TokenSession {
  user_id: string;
  refresh_key: Buffer;
  refresh_counter: number;
  created_at: Date;
}

export const SESSION_COLUMNS =
  'id, user_id, refresh_key, refresh_counter, created_at, amr, factor_id, passkey_id';

/** Makes the device known. `is_new`: it was not, and the account was not made just now, in this transaction. */
const START = `with known as (
    insert into auth.known_devices (user_id, device) values ($2, $8)
    on conflict (user_id, device) do update set seen_at = now()
    returning xmax = 0 and (select created_at < now() from auth.users where id = $2) as is_new)
  insert into auth.sessions (id, user_id, refresh_key, user_agent, address, amr, recovery_until, passkey_id)
  values ($1, $2, $3, $4, $5, $6, case when $7 then now() + interval '1 hour' end, $9)
  returning ${SESSION_COLUMNS}, (select is_new from known) as on_new_device`;

/**
 * Raises the counter by two and sets the last rotation into the past, so that no earlier refresh token is accepted afterwards,
 * neither as the parent of the newest one nor as that of another tab.
 */
const raiseBy = (column: 'factor_id' | 'passkey_id') => `update auth.sessions set ${column} = $2,
    amr = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(amr) e where e ->> 'method' <> $3)
      || jsonb_build_array(jsonb_build_object('method', $3, 'timestamp', extract(epoch from now())::bigint)),
    refresh_counter = refresh_counter + 2, refreshed_at = now() - interval '10 seconds', last_seen_at = now()
  where id = $1 and ended_at is null returning ${SESSION_COLUMNS}`;
const RAISE = { factor: raiseBy('factor_id'), passkey: raiseBy('passkey_id') };

const LIVE = `select ${SESSION_COLUMNS} from auth.sessions s where id = $1 and auth.is_live(s)`;

/** Starts sessions and issues their tokens. */
@Injectable()
export class SessionTokens {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly secrets: Secrets,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * Starts a session. Its key never leaves the server; the row has it encrypted. `method` as in `amr`, `passkeyId` of one that
   * began it.
   */
  async start(
    query: Query,
    userId: string,
    method: string,
    device: Device,
    passkeyId: string | null = null,
  ): Promise<SessionRow> {
    const id = randomUUID();
    const refreshKey = this.secrets.seal(randomBytes(32), id);
    const amr: AuthMethod[] = [{ method, timestamp: Math.floor(Date.now() / 1000) }];
    const [started] = await query<SessionRow & { on_new_device: boolean }>(START, [
      id,
      userId,
      refreshKey,
      device.userAgent,
      device.address,
      JSON.stringify(amr),
      method === 'recovery',
      device.remember(),
      passkeyId,
    ]);
    const { on_new_device: isNew, ...session } = started!;
    // Log and wake the mail before the commit, which follows at once. If the mail's job is faster, the sweep sends it.
    logSecurity('signed_in', { userId, sessionId: id, reason: method }, device);
    if (isNew) (await this.events.note(query, 'new_device', { userId, sessionId: id }, device))();
    return session;
  }

  /**
   * Raises a session to aal2, which makes its earlier tokens invalid. `method` as in `amr`.
   * @throws AuthError 403 `session_not_found` if it has ended
   */
  async raise(
    query: Query,
    sessionId: string,
    by: keyof typeof RAISE,
    shownId: string,
    method: string,
  ): Promise<SessionRow> {
    const [raised] = await query<SessionRow>(RAISE[by], [sessionId, shownId, method]);
    if (!raised) throw sessionOver();
    return raised;
  }

  /**
   * The token response for an existing session, with its newest refresh token.
   * @throws AuthError 403 `session_not_found` if it has ended
   */
  async answerAgain(query: Query, user: UserRow, sessionId: string) {
    const [session] = await query<SessionRow>(LIVE, [sessionId]);
    if (!session) throw sessionOver();
    return this.answer(user, session);
  }

  /** The token response of `/auth/v1`. */
  async answer(user: UserRow, session: SessionRow) {
    const refreshKey = this.secrets.open(session.refresh_key, session.id);
    return {
      ...(await this.tokens.issue(user, session)),
      refresh_token: encodeRefreshToken(session.id, session.refresh_counter, refreshKey),
      user: toAuthUser(user),
    };
  }
}

function sessionOver(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}
