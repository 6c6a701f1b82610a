import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database, type Query } from '../../../platform/database/database.js';
import { Secrets } from '../secrets/secrets.service.js';
import { Tickets } from '../secrets/tickets.service.js';
import { AuthError } from './auth-error.js';
import { flowNotFound, refuseOtherVerifier } from './pkce.js';
import type { ProviderIdentity } from './providers.service.js';
import { Redirects } from './redirects.js';

/** A person whom a provider has identified and who has no account yet. */
export interface Newcomer {
  flowId: string;
  identity: ProviderIdentity;
}

interface WaitingFlow {
  newcomer: Buffer;
  code_challenge: string;
}

const KEEP = 'update auth.provider_flows set newcomer = $2 where id = $1';
const IS_OPEN = `newcomer is not null and used_at > now() - interval '1 hour'`;
const FIND = `select newcomer, code_challenge from auth.provider_flows where id = $1 and ${IS_OPEN}`;
const CLAIM = 'update auth.provider_flows set newcomer = null where id = $1';

/**
 * People who come from Google or Apple and have no account: our page asks for the missing fields, within an hour. Until then no
 * user exists and the address is not taken.
 */
@Injectable()
export class Newcomers {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly tickets: Tickets,
    private readonly redirects: Redirects,
  ) {}

  /**
   * The address of the page that completes the sign-up. Its data is in the fragment, which browsers do not send to servers; the
   * ticket cannot be used without the PKCE verifier of the browser that began.
   * @throws AuthError 422 `signup_disabled` for a client that has no such page, or began without PKCE
   */
  async welcome(
    query: Query,
    { id, code_challenge, redirect_to }: { id: string; code_challenge: string | null; redirect_to: string },
    identity: ProviderIdentity,
  ): Promise<string> {
    if (code_challenge === null || !this.redirects.isOurs(redirect_to)) throw signUpDisabled();
    await query(KEEP, [id, this.secrets.seal(Buffer.from(JSON.stringify(identity)), id)]);
    const { pathname, search } = new URL(redirect_to);
    const said = new URLSearchParams({
      ticket: this.tickets.ticket('newcomer', id),
      destino: pathname + search,
    });
    return `${this.config.siteUrl}/cadastro#${said.toString()}`;
  }

  /** @throws AuthError 404 `flow_state_not_found` for a ticket that is forged, used or expired, 400 `bad_code_verifier` */
  async find(ticket: string, verifier: string): Promise<Newcomer> {
    const flowId = this.tickets.read('newcomer', ticket);
    const [flow] = flowId ? await this.database.query<WaitingFlow>(FIND, [flowId]) : [];
    if (!flowId || !flow) throw flowNotFound();
    refuseOtherVerifier(flow.code_challenge, verifier);
    const identity = this.secrets.open(flow.newcomer, flowId).toString('utf8');
    return { flowId, identity: JSON.parse(identity) as ProviderIdentity };
  }

  /**
   * Uses up the ticket, in the transaction that creates the account. Of two concurrent sign-ups, the second finds the
   * address taken.
   */
  async claim(query: Query, { flowId }: Newcomer): Promise<void> {
    await query(CLAIM, [flowId]);
  }
}

export function signUpDisabled(): AuthError {
  return new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
}
