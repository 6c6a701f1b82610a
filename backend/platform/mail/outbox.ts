import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Query } from '../database/database.js';
import { type JobQueue, newJob, Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import type { Letter } from './letter.js';
import { Post } from './post.js';

export const MAIL_QUEUE = 'mail';

/** What a job carries: which mail, never what it says. */
export interface MailJob {
  mailId: string;
}

/** A mail that is to be sent: ids only, so that neither its row nor its job tells anything about anybody. */
export interface Mail {
  /** The occasion's own id where it has one: one mail is sent for it, however often it is put here. */
  id: string;
  /** Which composer writes it, such as `accounts.recovery`. */
  kind: string;
  /** Null where no tenant has to do with it. */
  tenantId: string | null;
  /** The user or student whom it concerns; null for nobody. */
  personId: string | null;
  /** What it is about, for the composer. */
  subjectId: string;
}

/**
 * Writes a mail at the moment in which it is sent. The same words at every attempt: a mail that arrives twice must not
 * contradict itself. Null where nothing is to be sent (any more).
 */
export type Composer = (mail: Mail) => Promise<Letter | null>;

const NEW = `insert into mails (id, tenant_id, kind, person_id, subject_id) values ($1, $2, $3, $4, $5)
  on conflict do nothing`;
const FORGET = 'delete from mails where person_id = $1 returning id';

/**
 * Where every module leaves the mails that it wants sent. The row is written in the transaction of the fact that needs
 * the mail, the worker sends it (see MailSender): no request waits for a mail server.
 */
@Injectable()
export class Outbox implements OnApplicationBootstrap {
  private readonly logger = new Logger(Outbox.name);
  private readonly composers = new Map<string, Composer>();
  private queue: JobQueue | undefined;

  constructor(
    private readonly queues: Queues,
    private readonly post: Post,
  ) {}

  onApplicationBootstrap(): void {
    this.queue = this.queues.queue(MAIL_QUEUE);
  }

  /** Tells how mails of a kind are written; once per kind, while modules start. */
  define(kind: string, composer: Composer): void {
    this.composers.set(kind, composer);
  }

  /** Call `wake` with its id after the commit. `query` runs in the transaction of the fact, which sees the tenant. */
  async put(query: Query, { id, tenantId, kind, personId, subjectId }: Mail): Promise<void> {
    await query(NEW, [id, tenantId, kind, personId, subjectId]);
  }

  /** Has it sent at once; where that is lost, the worker's sweep finds it. */
  wake(mailId: string): void {
    const job = { ...newJob(), jobId: mailId };
    this.queue!.add('send', { mailId } satisfies MailJob, job).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of a mail lost', mailId, err: describeError(error) });
    });
  }

  /** @throws where no module defines the kind */
  async compose(mail: Mail): Promise<Letter | null> {
    const composer = this.composers.get(mail.kind);
    if (!composer) throw new Error(`nobody writes mails of the kind ${mail.kind}`);
    return composer(mail);
  }

  /**
   * A person is forgotten: mails to them, sent or not, are gone, and so are their copies in the folder. `query` runs in the
   * transaction that forgets, which sees the tenant or, for an account, the person.
   */
  async forget(query: Query, personId: string): Promise<void> {
    for (const { id } of await query<{ id: string }>(FORGET, [personId])) await this.post.forget(id);
  }
}
