import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/pools.js';
import { AccessTokens } from './access-tokens.service.js';
import { AuthError } from './auth-error.js';
import { toAuthUser, type UserRow } from './auth-user.js';
import { Passwords } from './passwords.service.js';
import { encodeRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.codec.js';
import { Secrets } from './secrets.service.js';
import { Sessions } from './sessions.service.js';
import { Users } from './users.service.js';

const MAX_USER_AGENT = 512;

interface SessionRow {
  id: string;
  user_id: string;
  refresh_key: Buffer;
  refresh_counter: number;
  created_at: Date;
}

/** Runs one statement: on a connection of the pool, or inside the transaction of a sign-up. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** Nothing happens where the password was changed since it was compared. */
const SIGN_IN = `update auth.users set last_sign_in_at = now() where id = $1 and password_hash = $2 returning *`;

const START = `insert into auth.sessions (id, user_id, refresh_key, user_agent) values ($1, $2, $3, $4)
  returning id, user_id, refresh_key, refresh_counter, created_at`;

const SESSION = `select s.id, s.user_id, s.refresh_key, s.refresh_counter, s.created_at, s.ended_at, auth.is_live(s) as is_live
  from auth.sessions s where s.id = $1`;

/**
 * The row's lock makes parallel refreshes queue up, and each decides on what the one before it wrote: the newest
 * token moves the counter on; its parent (whose answer was lost on the way) and any older one within 10 seconds of
 * the last rotation (several tabs at once) get the newest again. No row: a replay.
 */
const ROTATE = `update auth.sessions set
    refresh_counter = refresh_counter + (refresh_counter = $2)::int,
    refreshed_at = case when refresh_counter = $2 then now() else refreshed_at end,
    last_seen_at = now()
  where id = $1 and ended_at is null
    and (refresh_counter - $2 in (0, 1) or refresh_counter > $2 and refreshed_at > now() - interval '10 seconds')
  returning id, user_id, refresh_key, refresh_counter, created_at`;

/** What turns a proof (a password, a refresh token) into a session with its tokens. */
@Injectable()
export class Grants {
  private readonly logger = new Logger('Grants');

  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokens,
    private readonly passwords: Passwords,
    private readonly secrets: Secrets,
    private readonly sessions: Sessions,
    private readonly users: Users,
  ) {}

  /** @throws AuthError 400 `invalid_credentials`, in the same time for known and unknown addresses */
  async withPassword(email: string, password: string, userAgent: string | undefined) {
    const known = await this.users.byEmail(email);
    const matches = await this.passwords.matches(known?.password_hash ?? null, password);
    const [user] = matches ? await this.query<UserRow>(SIGN_IN, [known!.id, known!.password_hash]) : [];
    if (!user) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
    return this.answer(user, await this.start(this.query, user.id, userAgent));
  }

  /** @throws AuthError 400; a replayed token ends its session */
  async withRefreshToken(text: string) {
    const token = parseRefreshToken(text);
    if (!token) throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
    const { user_id } = await this.findSession(token);
    const [session] = await this.query<SessionRow>(ROTATE, [token.sessionId, token.counter]);
    if (!session) {
      this.logger.warn({ msg: 'refresh token replayed', userId: user_id, sessionId: token.sessionId });
      await this.sessions.end({ userId: user_id, sessionId: token.sessionId }, 'local');
      throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    }
    return this.answer(await this.users.byId(user_id), session);
  }

  /** A new session. Its key never leaves the server; the row holds it sealed. */
  async start(query: Query, userId: string, userAgent: string | undefined): Promise<SessionRow> {
    const id = randomUUID();
    const refreshKey = this.secrets.seal(randomBytes(32), id);
    const device = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const [session] = await query<SessionRow>(START, [id, userId, refreshKey, device]);
    return session!;
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

  private async findSession(token: RefreshToken): Promise<SessionRow> {
    const [session] = await this.query<SessionRow & { ended_at: Date | null; is_live: boolean }>(SESSION, [
      token.sessionId,
    ]);
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

  private readonly query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await this.database.pool.query<Row>(prepared(text, values))).rows;
}
