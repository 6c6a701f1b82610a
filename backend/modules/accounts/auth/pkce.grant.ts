import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import { Tickets } from '../secrets/tickets.service.js';
import type { Device } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';
import { Identities } from './identities.service.js';
import { flowNotFound, refuseOtherVerifier } from './pkce.js';
import type { Provider, ProviderIdentity } from './providers.service.js';
import { SignUps } from './sign-up.service.js';

interface FlowRow {
  id: string;
  /** Null for a sign-up that becomes an account. */
  user_id: string;
  sign_up_id: string | null;
  /** For a sign-up: whether the browser that signed up requested the mail. */
  keeps_password: boolean;
  method: string;
  code_challenge: string;
  /** Set if an identity is to be linked to the user of an existing session. */
  session_id: string | null;
  provider: Provider;
  subject: string;
  provider_email: string;
  /** Set if the code comes from a mail's link. */
  mail_token_id: string | null;
  used_at: Date | null;
  is_expired: boolean;
}

const NEW = `insert into auth.flow_states
    (id, user_id, method, code_challenge, session_id, provider, subject, provider_email, mail_token_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const NEW_OF_SIGN_UP = `insert into auth.flow_states (id, sign_up_id, method, code_challenge, keeps_password)
  values ($1, $2, 'email/signup', $3, $4)`;
const FIND = `select *, created_at < now() - interval '5 minutes' as is_expired from auth.flow_states where id = $1`;
const USE = 'update auth.flow_states set used_at = now() where id = $1 and used_at is null returning id';
const USE_MAIL = 'update auth.mail_tokens set used_at = now() where id = $1 and used_at is null returning id';
const CLEAR_MAILS = 'delete from auth.mail_tokens where owner_id = $1 and kind = $2';
const SIGNED_IN = `update auth.users set last_sign_in_at = now(),
    email_proven = email_proven or $2,
    email_confirmed_at = case when $2 then coalesce(email_confirmed_at, now()) else email_confirmed_at end
  where id = $1`;

interface Exchange {
  device: Device;
  requestId: string;
}

/** Codes that the browser which began a flow exchanges for a session: within five minutes, and once. */
@Injectable()
export class PkceGrant {
  constructor(
    private readonly database: Database,
    private readonly tickets: Tickets,
    private readonly sessionTokens: SessionTokens,
    private readonly users: Users,
    private readonly identities: Identities,
    private readonly hints: HintBus,
    private readonly signUps: SignUps,
  ) {}

  /**
   * Makes a code that can be exchanged with the verifier of the challenge. `method` as in `amr`. The exchange links the identity,
   * or uses up the mail whose link led here.
   */
  async issue(
    query: Query,
    userId: string,
    method: string,
    challenge: string,
    {
      sessionId = null,
      identity,
      mailTokenId = null,
    }: { sessionId?: string | null; identity?: ProviderIdentity; mailTokenId?: string | null } = {},
  ): Promise<string> {
    const id = randomUUID();
    const { provider = null, subject = null, email = null } = identity ?? {};
    await query(NEW, [id, userId, method, challenge, sessionId, provider, subject, email, mailTokenId]);
    return this.tickets.ticket('code', id);
  }

  /** A code whose exchange turns a sign-up into an account. Opening the link alone changes nothing. */
  async issueForSignUp(signUpId: string, challenge: string, keepsPassword: boolean): Promise<string> {
    const id = randomUUID();
    await this.database.query(NEW_OF_SIGN_UP, [id, signUpId, challenge, keepsPassword]);
    return this.tickets.ticket('code', id);
  }

  /** @throws AuthError 404 `flow_state_not_found`, 422 `flow_state_expired`, 400 `bad_code_verifier`, 422 `identity_already_exists` */
  async exchange(code: string, verifier: string, { device, requestId }: Exchange) {
    const id = this.tickets.read('code', code);
    const [flow] = id ? await this.database.query<FlowRow>(FIND, [id]) : [];
    if (!flow || flow.used_at) throw flowNotFound();
    if (flow.is_expired) {
      throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
    }
    refuseOtherVerifier(flow.code_challenge, verifier);
    if (flow.sign_up_id !== null) {
      const { sign_up_id: signUpId, keeps_password: keepsPassword } = flow;
      return this.signUps.confirm(signUpId, { requestId, keepsPassword }, (query) =>
        this.signUps.enter(query, signUpId, { device, keepsPassword }),
      );
    }
    const tokens = await this.database.transact(async (query) => {
      // Locks the user's row first, as every sign-in does, so that a concurrent change of the password waits, or is waited for.
      await query(SIGNED_IN, [flow.user_id, flow.mail_token_id !== null]);
      const [used] = await query(USE, [flow.id]);
      if (!used) throw flowNotFound();
      if (flow.mail_token_id !== null) await this.useMail(query, flow, flow.mail_token_id);
      if (flow.session_id !== null) {
        const { provider, subject, provider_email: email } = flow;
        await this.identities.link(query, flow.user_id, { provider, subject, email });
        const user = await this.users.byId(flow.user_id, query);
        return this.sessionTokens.answerAgain(query, user, flow.session_id);
      }
      const session = await this.sessionTokens.start(query, flow.user_id, flow.method, device);
      return this.sessionTokens.answer(await this.users.byId(flow.user_id, query), session);
    });
    this.hints.personChanged(flow.user_id);
    return tokens;
  }

  /** Uses up the mail and all others for the same purpose. @throws if it was used meanwhile */
  private async useMail(query: Query, { user_id, method }: FlowRow, id: string): Promise<void> {
    const [used] = await query(USE_MAIL, [id]);
    if (!used) throw flowNotFound();
    await query(CLEAR_MAILS, [user_id, method]);
  }
}
