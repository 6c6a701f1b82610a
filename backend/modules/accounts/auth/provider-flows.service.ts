import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Tickets } from '../secrets/tickets.service.js';
import type { Device } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';
import { Identities } from './identities.service.js';
import { Newcomers } from './newcomers.service.js';
import { PkceGrant } from './pkce.grant.js';
import { type FlowSecrets, type Provider, type ProviderIdentity, Providers } from './providers.service.js';
import { Redirects } from './redirects.js';
import { logRefusalFrom } from './refusal-log.js';

interface FlowRow {
  id: string;
  provider: Provider;
  code_challenge: string | null;
  redirect_to: string;
  session_id: string | null;
}

export interface FlowStart {
  provider: Provider;
  code_challenge: string | null;
  redirect_to: string;
  /** The session whose user gets the identity linked; null for signing in. */
  session_id: string | null;
}

const NEW = `insert into auth.provider_flows (id, provider, code_challenge, redirect_to, session_id)
  values ($1, $2, $3, $4, $5)`;
/** A flow is valid for ten minutes and one attempt. */
const USE = `update auth.provider_flows set used_at = now()
  where id = $1 and used_at is null and created_at > now() - interval '10 minutes'
  returning id, provider, code_challenge, redirect_to, session_id`;
const IS_USED = 'select from auth.provider_flows where id = $1 and used_at is not null';
const USER_OF_SESSION = 'select user_id from auth.sessions where id = $1';
const SIGNED_IN =
  'update auth.users set last_sign_in_at = now(), email_confirmed_at = coalesce(email_confirmed_at, now()) where id = $1';

/** The redirect to Google or Apple, and its callback. */
@Injectable()
export class ProviderFlows {
  constructor(
    private readonly database: Database,
    private readonly providers: Providers,
    private readonly identities: Identities,
    private readonly newcomers: Newcomers,
    private readonly tickets: Tickets,
    private readonly codes: PkceGrant,
    private readonly redirects: Redirects,
    private readonly sessionTokens: SessionTokens,
    private readonly users: Users,
  ) {}

  /** The address at the provider, where the person signs in. */
  async begin(
    { provider, code_challenge, redirect_to, session_id }: FlowStart,
    hints: Record<string, string>,
  ): Promise<string> {
    const id = randomUUID();
    const address = await this.providers.address(provider, this.secretsOf(id), hints);
    await this.database.query(NEW, [id, provider, code_challenge, redirect_to, session_id]);
    return address;
  }

  /**
   * The address to which the person is redirected: with a code, with a session, to the page that completes the sign-up, or with
   * an error.
   * @throws AuthError 400 `bad_oauth_state` for a state that is forged or expired, `flow_state_already_used`
   */
  async finish(answer: Record<string, string>, device: Device): Promise<string> {
    const flow = await this.use(answer.state ?? '');
    try {
      if (answer.error !== undefined) {
        throw new AuthError(400, 'bad_oauth_callback', answer.error_description ?? answer.error);
      }
      const identity = await this.providers.identify(flow.provider, answer, this.secretsOf(flow.id));
      return await (flow.session_id === null
        ? this.signIn(flow, identity, device)
        : this.offerLink(flow, flow.session_id, identity));
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      logRefusalFrom(device, error);
      return this.redirects.withError(flow.redirect_to, error, true);
    }
  }

  private async signIn(flow: FlowRow, identity: ProviderIdentity, device: Device): Promise<string> {
    return this.database.transact(async (query) => {
      const userId = await this.identities.userOf(query, identity);
      if (userId === null) return this.newcomers.welcome(query, flow, identity);
      if (flow.code_challenge !== null) {
        const code = await this.codes.issue(query, userId, 'oauth', flow.code_challenge);
        return this.redirects.withCode(flow.redirect_to, code);
      }
      await query(SIGNED_IN, [userId]);
      const session = await this.sessionTokens.start(query, userId, 'oauth', device);
      const tokens = await this.sessionTokens.answer(await this.users.byId(userId, query), session);
      return this.redirects.withTokens(flow.redirect_to, 'oauth', tokens);
    });
  }

  /** The identity is linked only by the browser that began, when it exchanges the code: an attacker could lure somebody else to the callback. */
  private async offerLink(flow: FlowRow, sessionId: string, identity: ProviderIdentity): Promise<string> {
    const [session] = await this.database.query<{ user_id: string }>(USER_OF_SESSION, [sessionId]);
    if (!session) {
      throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    }
    const { query } = this.database;
    const link = { sessionId, identity };
    const code = await this.codes.issue(query, session.user_id, 'oauth', flow.code_challenge!, link);
    return this.redirects.withCode(flow.redirect_to, code);
  }

  private async use(state: string): Promise<FlowRow> {
    const id = this.tickets.read('state', state);
    const [flow] = await this.database.query<FlowRow>(USE, [id]);
    if (flow) return flow;
    const [used] = await this.database.query(IS_USED, [id]);
    throw used
      ? new AuthError(400, 'flow_state_already_used', 'OAuth state has been used before')
      : new AuthError(400, 'bad_oauth_state', 'OAuth state is not valid, or has expired');
  }

  private secretsOf(id: string): FlowSecrets {
    return {
      state: this.tickets.ticket('state', id),
      nonce: this.tickets.secret('nonce', id),
      verifier: this.tickets.secret('verifier', id),
    };
  }
}
