import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import type { Device } from '../sessions/devices.service.js';
import { type Owner, Users } from '../users/users.service.js';
import { type MailTokenKind, MailTokens, type NewMailToken } from './mail-tokens.service.js';

export type Link = Pick<NewMailToken, 'code_challenge' | 'redirect_to'>;

const CHANGING = 'select id from auth.users where email = $1 and new_email is not null';

/**
 * Mails that anybody may ask for with an address. The same rows are written whether or not somebody has it, and what
 * follows from them happens in the worker: neither the answer nor its time tells.
 */
@Injectable()
export class MailRequests {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly tokens: MailTokens,
    private readonly outbox: Outbox,
  ) {}

  /** For somebody who signed up and did not confirm, it is the confirmation once more. */
  async magicLink(email: string, link: Link, device: Device): Promise<void> {
    const owner = await this.users.byEmail(email, device.key);
    await this.send(owner?.is_confirmed === false ? 'signup' : 'magiclink', owner, link);
  }

  async recovery(email: string, link: Link): Promise<void> {
    const owner = await this.users.byEmail(email, null);
    await this.send('recovery', owner?.is_confirmed ? owner : undefined, link);
  }

  /** Of several sign-ups for one address, that of the browser which asks; otherwise the newest. */
  async resendSignUp(email: string, link: Link, device: Device): Promise<void> {
    const owner = await this.users.byEmail(email, device.key);
    await this.send('signup', owner?.is_confirmed === false ? owner : undefined, link);
  }

  async resendEmailChange(email: string, link: Link): Promise<void> {
    const [changing] = await this.database.query<{ id: string }>(CHANGING, [email]);
    const mailIds = await this.database.transact((query) => this.putEmailChange(query, changing?.id, link));
    for (const id of mailIds) this.outbox.wake(id);
  }

  /** Both mails of a change of address, which want to be woken after the commit; the former ones are void. */
  async putEmailChange(query: Query, userId: string | undefined, link: Link): Promise<string[]> {
    const kinds: MailTokenKind[] = ['email_change_current', 'email_change_new'];
    if (userId) await this.tokens.clear(query, userId, kinds);
    const ids: string[] = [];
    for (const kind of kinds)
      ids.push(await this.tokens.put(query, { kind, owner_id: userId ?? null, ...link }));
    return ids;
  }

  async reauthentication(userId: string): Promise<void> {
    await this.send(
      'reauthentication',
      { id: userId, is_own: false },
      { code_challenge: null, redirect_to: null },
    );
  }

  private async send(
    kind: MailTokenKind,
    owner: Pick<Owner, 'id' | 'is_own'> | undefined,
    link: Link,
  ): Promise<void> {
    const id = await this.database.transact((query) =>
      this.tokens.put(query, {
        kind,
        owner_id: owner?.id ?? null,
        by_applicant: owner?.is_own ?? false,
        ...link,
      }),
    );
    this.outbox.wake(id);
  }
}
