import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Secrets } from '../secrets/secrets.service.js';
import { parseRefreshToken, type RefreshToken } from '../sessions/refresh-token.codec.js';
import { SESSION_COLUMNS, type SessionRow, SessionTokens } from '../sessions/session-tokens.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';

const SESSION = `select ${SESSION_COLUMNS}, ended_at, auth.is_live(s) as is_live from auth.sessions s where id = $1`;

/**
 * The row lock serialises parallel refreshes, so each decides on what the previous one wrote: the newest token advances the
 * counter; its parent (whose response was lost) and any older one within 10 seconds of the last rotation (several tabs at
 * once) get the newest again. No row: a replay. A rotation in the future was recorded by a clock that has been set back
 * since, so the 10 seconds do not apply.
 */
const ROTATE = `update auth.sessions set
    refresh_counter = refresh_counter + (refresh_counter = $2)::int,
    refreshed_at = case when refresh_counter = $2 then now() else refreshed_at end,
    last_seen_at = now()
  where id = $1 and ended_at is null
    and (refresh_counter - $2 in (0, 1) or refresh_counter > $2
      and refreshed_at > now() - interval '10 seconds' and refreshed_at <= clock_timestamp())
  returning ${SESSION_COLUMNS}`;

/** As in the reference server: a refresh that waits longer for the row lock is refused, and the session is unchanged. */
const WAIT = "select set_config('lock_timeout', '5s', true)";
const LOCK_NOT_AVAILABLE = '55P03';

@Injectable()
export class RefreshGrant {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly sessions: Sessions,
    private readonly sessionTokens: SessionTokens,
    private readonly users: Users,
  ) {}

  /** @throws AuthError 400; 409 where the row is locked for too long. A replayed token ends its session */
  async exchange(text: string) {
    const token = parseRefreshToken(text);
    if (!token) throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
    const { user_id } = await this.findSession(token);
    const session = await this.rotate(token);
    if (!session) {
      const session = { userId: user_id, sessionId: token.sessionId };
      await this.sessions.end(session, 'local', 'refresh_token_replayed');
      throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used', {
        userId: user_id,
      });
    }
    return this.sessionTokens.answer(await this.users.byId(user_id), session);
  }

  /** Undefined for a replay. */
  private async rotate({ sessionId, counter }: RefreshToken): Promise<SessionRow | undefined> {
    try {
      return await this.database.transact(async (query) => {
        await query(WAIT, []);
        const [session] = await query<SessionRow>(ROTATE, [sessionId, counter]);
        return session;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new AuthError(
        409,
        'conflict',
        'Too many concurrent token refresh requests on the same session or refresh token',
      );
    }
  }

  private async findSession(token: RefreshToken): Promise<SessionRow> {
    const [session] = await this.database.query<SessionRow & { ended_at: Date | null; is_live: boolean }>(
      SESSION,
      [token.sessionId],
    );
    if (
      !session ||
      session.ended_at ||
      !token.isSignedWith(this.secrets.open(session.refresh_key, session.id))
    ) {
      throw new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
    }
    if (session.refresh_counter < token.counter) {
      throw new AuthError(400, 'validation_failed', 'Invalid Refresh Token: Not Issued By This Server');
    }
    if (!session.is_live)
      throw new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
    return session;
  }
}
