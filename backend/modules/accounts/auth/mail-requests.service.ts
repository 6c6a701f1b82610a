import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import type { Device } from '../sessions/devices.service.js';
import { type Owner, Users } from '../users/users.service.js';
import { type Asker, type MailTokenKind, MailTokens, type NewMailToken } from './mail-tokens.service.js';

export type Link = Pick<NewMailToken, 'code_challenge' | 'redirect_to'>;

const CHANGING = 'select id, new_email from auth.users where email = $1 and new_email is not null';

/** A caller whose browser gets the device cookie. */
export const askerOf = (email: string, device: Device): Asker => ({ email, device: device.remember() });

/**
 * Mails that can be requested for any address. The same rows are written whether or not it has an account, and the worker does the
 * rest, so neither the response nor its time reveals an account.
 */
@Injectable()
export class MailRequests {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly tokens: MailTokens,
    private readonly outbox: Outbox,
  ) {}

  /** For a pending sign-up, sends the confirmation again. */
  async magicLink(email: string, link: Link, device: Device): Promise<void> {
    const owner = await this.users.byEmail(email, device.key);
    const kind = owner?.is_confirmed === false ? 'signup' : 'magiclink';
    await this.send(kind, owner, link, askerOf(email, device));
  }

  async recovery(email: string, link: Link, device: Device): Promise<void> {
    const owner = await this.users.byEmail(email, null);
    await this.send('recovery', owner?.is_confirmed ? owner : undefined, link, askerOf(email, device));
  }

  /** Of several sign-ups for one address, that of the requesting browser; otherwise the newest. */
  async resendSignUp(email: string, link: Link, device: Device): Promise<void> {
    const owner = await this.users.byEmail(email, device.key);
    await this.send(
      'signup',
      owner?.is_confirmed === false ? owner : undefined,
      link,
      askerOf(email, device),
    );
  }

  /** Can be requested without a sign-in, so earlier mails of the same change stay valid. */
  async resendEmailChange(email: string, link: Link, device: Device): Promise<void> {
    const [changing] = await this.database.query<{ id: string; new_email: string }>(CHANGING, [email]);
    const asker = askerOf(email, device);
    const mailIds = await this.database.transact((query) =>
      this.putEmailChange(query, changing?.id, changing?.new_email ?? email, link, asker),
    );
    for (const id of mailIds) this.outbox.wake(id);
  }

  /** Both mails of a change of address, to be woken after the commit. */
  async putEmailChange(
    query: Query,
    userId: string | undefined,
    newEmail: string,
    link: Link,
    { email, device }: Asker,
  ): Promise<string[]> {
    const mails = [
      { kind: 'email_change_current', email },
      { kind: 'email_change_new', email: newEmail },
    ] as const;
    const ids: string[] = [];
    for (const mail of mails)
      ids.push(await this.tokens.put(query, { ...mail, owner_id: userId ?? null, device, ...link }));
    return ids;
  }

  async reauthentication(userId: string, asker: Asker): Promise<void> {
    const link = { code_challenge: null, redirect_to: null };
    await this.send('reauthentication', { id: userId, is_own: false }, link, asker);
  }

  private async send(
    kind: MailTokenKind,
    owner: Pick<Owner, 'id' | 'is_own'> | undefined,
    link: Link,
    asker: Asker,
  ): Promise<void> {
    const id = await this.database.transact((query) =>
      this.tokens.put(query, {
        kind,
        owner_id: owner?.id ?? null,
        by_applicant: owner?.is_own ?? false,
        ...link,
        ...asker,
      }),
    );
    this.outbox.wake(id);
  }
}
