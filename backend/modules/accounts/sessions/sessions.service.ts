import { Injectable, Logger } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/pools.js';
import { Problem } from '../../../platform/http/problem.js';
import { describeError } from '../../../platform/ops/logger.js';
import { logSecurity, type Origin } from '../../../platform/ops/security-log.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import {
  type Membership,
  type SessionStanding,
  SessionVerifier,
  type VerifiedSession,
} from '../../../platform/realtime/session-verifier.js';
import { AccessTokens } from './access-tokens.service.js';

/**
 * Concurrent callers with the same key share one query, but only one that began after their call: a call during a running query
 * waits for the next one, so that no caller gets a result from before its call.
 */
export class SharedLookUps<Result> {
  private readonly running = new Map<
    string,
    { next: Promise<Result> | undefined; current: Promise<unknown> }
  >();

  run(key: string, lookUp: () => Promise<Result>): Promise<Result> {
    const running = this.running.get(key);
    if (!running) return this.begin(key, lookUp);
    const begin = (): Promise<Result> => this.begin(key, lookUp);
    running.next ??= running.current.then(begin, begin);
    return running.next;
  }

  private begin(key: string, lookUp: () => Promise<Result>): Promise<Result> {
    const current = lookUp();
    const entry = { current, next: undefined };
    this.running.set(key, entry);
    const forget = (): void => {
      if (this.running.get(key) === entry && entry.next === undefined) this.running.delete(key);
    };
    current.then(forget, forget);
    return current;
  }
}

interface LiveSession {
  stale: boolean;
  memberships: Membership[];
  aal: 1 | 2;
  next_aal: 1 | 2;
  /** False if the key that signed the token was revoked. */
  is_key_known: boolean;
}

export type LogoutScope = 'global' | 'local' | 'others';

/** Why a session ended, for the log. */
export type EndReason =
  | 'signed_out'
  | 'ended_on_another_device'
  | 'refresh_token_replayed'
  | 'password_changed'
  | 'factor_shown'
  | 'account_deleted';

/** The request has no token, an invalid one, or that of an ended session. */
export class Unauthenticated extends Problem {
  constructor(readonly reason: 'no_token' | 'bad_token' | 'session_over') {
    super('unauthenticated');
  }
}

const LOOK_UP = `select stale, memberships, aal, next_aal,
    exists (select from auth.signing_keys where kid = $3) as is_key_known
  from auth.session_memberships($1, $2)`;

const STANDING = `select memberships,
    (extract(epoch from least(s.created_at + interval '30 days', s.last_seen_at + interval '14 days') - now()) * 1000)
      ::double precision as "endsIn"
  from auth.sessions s, auth.session_memberships(s.id, s.user_id)
  where s.id = $1 and s.user_id = $2 and exists (select from auth.signing_keys where kid = $3)`;

const SEEN = `update auth.sessions set last_seen_at = now()
  where id = $1 and last_seen_at < now() - interval '1 minute'`;

const END = `update auth.sessions set ended_at = now()
  where user_id = $1 and ended_at is null
    and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end
  returning id`;

/** Sessions, which every request looks up, so that an ended session is refused at once. */
@Injectable()
export class Sessions extends SessionVerifier {
  private readonly logger = new Logger('Sessions');
  private readonly lookUps = new SharedLookUps<LiveSession | undefined>();

  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokens,
    private readonly hints: HintBus,
  ) {
    super();
  }

  async verify(token: string): Promise<VerifiedSession> {
    const session = await this.identify(`Bearer ${token}`);
    if (session.aal < session.nextAal) throw new Problem('accounts.second_factor_required');
    return session;
  }

  async standing({ sessionId, userId, kid }: VerifiedSession): Promise<SessionStanding | null> {
    const [standing] = await this.database.lookUp<SessionStanding>(STANDING, [sessionId, userId, kid]);
    return standing ?? null;
  }

  /** @throws Unauthenticated */
  async identify(authorization: string | undefined): Promise<VerifiedSession> {
    if (authorization === undefined) throw new Unauthenticated('no_token');
    const claims = await this.tokens.verify(authorization);
    if (!claims) throw new Unauthenticated('bad_token');
    const { sub: userId, session_id: sessionId, kid, aal: issuedFor } = claims;
    const session = await this.lookUps.run(`${sessionId}/${userId}/${kid}`, async () => {
      const [live] = await this.database.lookUp<LiveSession>(LOOK_UP, [sessionId, userId, kid]);
      return live;
    });
    if (!session) throw new Unauthenticated('session_over');
    // The session does not end: its client can get a valid token with its refresh token.
    if (!session.is_key_known) throw new Unauthenticated('bad_token');
    // Whoever has a token from before the second factor has not proved it.
    if (session.aal === 2 && issuedFor !== 'aal2') throw new Unauthenticated('bad_token');
    if (session.stale) this.noteSignOfLife(sessionId);
    const { memberships, aal, next_aal: nextAal } = session;
    return { userId, sessionId, kid, memberships, aal, nextAal };
  }

  /** Ends sessions of a user: this one, the others, or all. Their tokens become invalid and their sockets are closed. */
  async end(
    session: { userId: string; sessionId: string },
    scope: LogoutScope,
    reason: EndReason,
    origin?: Origin,
  ): Promise<void> {
    const ended = await this.markEnded(this.database.query, session, scope);
    this.dropSockets(ended, session.userId, reason, origin);
    this.hints.personChanged(session.userId);
  }

  /** The same inside a transaction. Returns the ids of the ended sessions, whose sockets are to be closed after the commit. */
  async markEnded(
    query: Query,
    { userId, sessionId }: { userId: string; sessionId: string },
    scope: LogoutScope,
  ): Promise<string[]> {
    const ended = await query<{ id: string }>(END, [userId, sessionId, scope]);
    return ended.map(({ id }) => id);
  }

  dropSockets(sessionIds: readonly string[], userId: string, reason: EndReason, origin?: Origin): void {
    for (const sessionId of sessionIds) {
      this.hints.sessionEnded(sessionId);
      logSecurity('session_ended', { userId, sessionId, reason }, origin);
    }
  }

  /** Records the session's last use. The request does not wait for it, since losing one is harmless. */
  private noteSignOfLife(sessionId: string): void {
    this.database.pool.query(prepared(SEEN, [sessionId])).catch((error: unknown) => {
      this.logger.warn({ msg: 'last use of session not recorded', err: describeError(error) });
    });
  }
}
