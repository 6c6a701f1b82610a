import { Injectable, Logger } from '@nestjs/common';
import type { Query } from '../database/database.js';
import { sendMail } from '../jobs/platform-jobs.js';
import { Config } from '../config/env.js';
import { withoutAddresses } from '../http/addresses.api.js';
import { Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import type { Occasion } from '../reactions/define-reaction.js';
import type { Letter } from './letter.js';
import type { Cause } from './mail-limits.js';
import { MailAddresses, type StopLink } from './mail-addresses.js';
import { Post } from './post.js';

/** Instead of the kind of a mail that has none of its own: its link ends all mails of the tenant. */
export const ALL_MAILS = 'tudo';
/** The same for a code that the person asked for, which is sent all the same. */
export const CODES = 'codigos';
/** The same as `ALL_MAILS` for mails to an address that a visitor typed. */
export const VISITS = 'reservas';

/** Whose act a mail with this link follows from. */
export const causeOf = (kind: string): Cause =>
  kind === CODES ? 'code' : kind === VISITS ? 'visitor' : 'trainer';

/** A mail to be sent, described by ids only: neither its row nor its job contains personal data. */
export interface Mail {
  /** Id of the occasion, if any: adding the same id again sends no second mail. */
  id: string;
  /** Name of its composer, such as `accounts.recovery`. */
  kind: string;
  /** Null if it belongs to no tenant. */
  tenantId: string | null;
  /** The user or student it concerns, or null. */
  personId: string | null;
  /** Arguments for the composer. */
  subjectId: string;
  /** For a mail to a student or visitor, the address for which it was decided: it is sent to no other. */
  addressHash?: Buffer | null;
}

/**
 * Composes a mail when it is sent. Every attempt must produce the same text, because a mail may arrive twice. Null if
 * there is nothing (or no longer anything) to send.
 */
export type Composer = (mail: Mail) => Promise<Letter | null>;

const NEW = `insert into mails (id, tenant_id, kind, person_id, subject_id, address_hash, next_attempt_at)
  values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 millisecond')
  on conflict do nothing`;
/**
 * For which address the command of an event decided its mail to a person: it wrote that just before the event, and commands of
 * a tenant follow one another. Events are read to the millisecond.
 */
const DECIDED = `select address_hash from mail_ledger
  where tenant_id = $1 and person_id = $2 and withheld is null
    and recorded_at between $3::timestamptz - interval '1 minute' and $3::timestamptz + interval '1 millisecond'
  order by recorded_at desc limit 1`;
const FORGET = 'delete from mails where person_id = $1 returning id';
const FORGET_TENANT = 'delete from mails where tenant_id = $1 returning id';
const FORGET_WITHHELD = 'delete from mail_ledger where person_id = $1 and withheld is not null';
/** How many mails went to an address still counts. */
const FORGET_COUNTED = 'update mail_ledger set person_id = null, thing = null where person_id = $1';

/**
 * The transactional outbox of mails. The row is written in the same transaction as the change that causes the mail; the
 * worker sends it (see MailSender), so that no request waits for a mail server.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger(Outbox.name);
  private readonly composers = new Map<string, { compose: Composer; letters: string | undefined }>();

  constructor(
    private readonly queues: Queues,
    private readonly post: Post,
    private readonly addresses: MailAddresses,
    private readonly config: Config,
  ) {}

  /**
   * Registers the composer of a kind of mail, once per kind, while modules start. `letters`: for mails to students and
   * visitors, the kind that the link at their foot switches off, `ALL_MAILS`, `VISITS` or `CODES`.
   */
  define(kind: string, compose: Composer, letters?: string): void {
    this.composers.set(kind, { compose, letters });
  }

  /** Adds a mail; call `wake` with its id after the commit. `query` runs in the caller's transaction with the tenant set. */
  async put(
    query: Query,
    { id, tenantId, kind, personId, subjectId, addressHash = null }: Mail,
    waitMs = 0,
  ): Promise<void> {
    await query(NEW, [id, tenantId, kind, personId, subjectId, addressHash, waitMs]);
  }

  /**
   * Adds the mail of a reaction, to the address for which the event's command or the reaction itself (`addressHash`) decided it.
   * Returns a function that starts its sending, to be called after the commit.
   */
  async react(
    { id, event: { tenantId, recordedAt }, query }: Occasion,
    { addressHash, ...mail }: Pick<Mail, 'kind' | 'personId' | 'subjectId' | 'addressHash'>,
    waitMs = 0,
  ): Promise<() => void> {
    const [decided] = addressHash
      ? [{ address_hash: addressHash }]
      : await query<{ address_hash: Buffer }>(DECIDED, [tenantId, mail.personId, recordedAt]);
    await this.put(query, { id, tenantId, ...mail, addressHash: decided?.address_hash ?? null }, waitMs);
    return () => this.wake(id);
  }

  /** Starts the sending at once; if that is lost, `sendDueMails` finds the mail. */
  wake(mailId: string): void {
    this.queues.add(sendMail, { mailId }, mailId).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of a mail lost', mailId, err: describeError(error) });
    });
  }

  /** @throws where no module defines the kind */
  async compose(mail: Mail): Promise<Letter | null> {
    const composer = this.composers.get(mail.kind);
    if (!composer) throw new Error(`no module composes mails of the kind ${mail.kind}`);
    const letter = await composer.compose(mail);
    if (!letter) return null;
    const link = this.stopLinkOf(mail, letter);
    return {
      ...withoutLinks(letter),
      ...(link && { unsubscribe: `${this.config.siteUrl}/avisos/${this.addresses.tokenOf(link)}` }),
    };
  }

  /** What the link at the foot of a mail is about; null for mails to owners of accounts, which have none. */
  stopLinkOf({ kind: mailKind, tenantId, personId }: Mail, { to }: Letter): StopLink | null {
    const kind = this.composers.get(mailKind)?.letters;
    return kind !== undefined && tenantId !== null && personId !== null
      ? { tenantId, personId, addressHash: this.addresses.hashOf(to), kind }
      : null;
  }

  /**
   * Deletes all mails to a person who is forgotten, sent or not, and their copies in the folder. `query` runs in the
   * forgetting transaction, under row security for the tenant or, for an account, for the person.
   */
  async forget(query: Query, personId: string): Promise<void> {
    for (const { id } of await query<{ id: string }>(FORGET, [personId])) await this.post.forget(id);
    await query(FORGET_WITHHELD, [personId]);
    await query(FORGET_COUNTED, [personId]);
  }

  /** The same for all mails of a tenant that ends: those to its trainer name no person. */
  async forgetTenant(query: Query, tenantId: string): Promise<void> {
    for (const { id } of await query<{ id: string }>(FORGET_TENANT, [tenantId])) await this.post.forget(id);
  }
}

/** Words of others reach people with links of ours only: also those that were stored when addresses in names were allowed. */
function withoutLinks(letter: Letter): Letter {
  const { subject, paragraphs, footnote } = letter;
  return {
    ...letter,
    subject: withoutAddresses(subject),
    paragraphs: paragraphs.map(withoutAddresses),
    ...(footnote !== undefined && { footnote: withoutAddresses(footnote) }),
  };
}
