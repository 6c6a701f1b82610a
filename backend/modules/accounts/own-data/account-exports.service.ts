import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { type Blanks, statement } from '../../../platform/database/statement.js';
import { publicKeyOf, signingKeyOf } from '../../../platform/event-store/master-key.js';
import { Problem } from '../../../platform/http/problem.js';
import { RateLimits } from '../../../platform/http/rate-limit.js';
import { ReadYourWrites } from '../../../platform/http/read-your-writes.js';
import { describeError } from '../../../platform/ops/logger.js';
import { dateOf } from '../../../platform/local-time.js';
import type { Caller } from '../auth/auth-controller.js';
import { Secrets } from '../secrets/secrets.service.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { Devices } from '../sessions/devices.service.js';
import { ExportWriter, MEMBERSHIPS, type OwnMembership } from './export-writer.js';
import type { ExportState, PersonProof } from './own-data.api.js';
import { PersonProofs, type UseProof } from './person-proofs.service.js';

const LIMIT = { name: 'account-exports', points: 5, seconds: 86_400 };
/** Hours for which a copy can be downloaded. */
const HOURS = 24;
const MAX_ATTEMPTS = 5;
const PART_BYTES = 256 * 1024;
/** Duration of a claim: ten times as long as the largest copy takes. */
const LEASE = "interval '10 minutes'";

const SHOWN = `select id, created_at, done_at, bytes, failed_at, done_at + interval '${HOURS} hours' as expires_at
  from auth.account_exports
  where user_id = $1 and session_id = $2 and coalesce(done_at, now()) > now() - interval '${HOURS} hours'`;
const WAITING = `select id from auth.account_exports where user_id = $1 and done_at is null and failed_at is null`;
const CLEAR =
  'delete from auth.account_exports where user_id = $1 and (done_at is not null or failed_at is not null)';
const NEW = `insert into auth.account_exports (id, user_id, session_id) values ($1, $2, $3)
  on conflict (user_id) do nothing returning id`;
/** A copy that is being made belongs to the last session that requested it with a proof. */
const JOIN = `update auth.account_exports set session_id = $2
  where user_id = $1 and done_at is null and failed_at is null returning id`;
const FILE = `select id, bytes, done_at,
    coalesce((select timezone from auth.memberships_of($2) limit 1), 'America/Sao_Paulo') as timezone from auth.account_exports
  where id = $1 and user_id = $2 and session_id = $3 and done_at > now() - interval '${HOURS} hours'`;
const PART = 'select sealed from auth.account_export_parts where export_id = $1 and n = $2';

const CLAIM = `update auth.account_exports set attempts = attempts + 1, claimed_until = now() + ${LEASE}
  where id = $1 and done_at is null and failed_at is null and coalesce(claimed_until <= now(), true)
  returning user_id, attempts`;
const CLEAR_PARTS = 'delete from auth.account_export_parts where export_id = $1';
const NEW_PART = 'insert into auth.account_export_parts (export_id, n, sealed) values ($1, $2, $3)';
const DONE =
  'update auth.account_exports set done_at = now(), bytes = $2, claimed_until = null where id = $1';
/** Retried by the sweep, or given up after too many attempts. */
const LATER = `update auth.account_exports set claimed_until = null,
    failed_at = case when attempts >= ${MAX_ATTEMPTS} then now() end
  where id = $1`;
const DUE = `select id from auth.account_exports
  where done_at is null and failed_at is null and coalesce(claimed_until <= now(), true) order by created_at limit 20`;

const logOf = statement((db, { tenant_id }: Blanks<{ tenant_id: string }>) =>
  db.selectFrom('tenant_log').select('position').where('tenant_id', '=', tenant_id).compile(),
);

/** The user and the requesting session. */
interface Doer {
  userId: string;
  sessionId: string;
}

interface ExportRow {
  id: string;
  created_at: Date;
  done_at: Date | null;
  bytes: number | null;
  failed_at: Date | null;
  expires_at: Date | null;
}

/** A copy to be sent: its name, its size in bytes, and its bytes. */
export interface ExportFile {
  name: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

/**
 * Exports of all data of a person. The worker makes them; each is stored encrypted in the database for a day, so that any process
 * can send it. It is sent only to the session that requested it with a proof, so that somebody at another session cannot
 * download it.
 */
@Injectable()
export class AccountExports {
  private readonly logger = new Logger(AccountExports.name);
  private readonly chave_publica: string;

  constructor(
    config: Config,
    private readonly database: Database,
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
    private readonly writer: ExportWriter,
    private readonly readYourWrites: ReadYourWrites,
    private readonly proofs: PersonProofs,
    private readonly devices: Devices,
    private readonly events: SecurityEvents,
  ) {
    this.chave_publica = publicKeyOf(signingKeyOf(config.masterKey));
  }

  /**
   * Returns the copy that is being made, or starts a new one, which replaces the last.
   * @throws Problem 422 `account.proof_refused`, 429
   */
  async request(userId: string, proof: PersonProof, caller: Caller): Promise<string> {
    const { sessionId } = caller.request.caller!;
    const doer = { userId, sessionId };
    const id = await this.proofs.prove(userId, proof, caller, (use) => this.begin(doer, caller, use));
    if (!id) throw new Problem('unauthenticated');
    return id;
  }

  private async begin(doer: Doer, caller: Caller, use: UseProof): Promise<string> {
    const { userId, sessionId } = doer;
    const isWaiting = (await this.database.query(WAITING, [userId])).length > 0;
    if (!isWaiting) await this.limits.consume(LIMIT, userId, caller.reply);
    let tell: (() => void) | undefined;
    const id = await this.database.transact(async (query) => {
      await use(query);
      await query(CLEAR, [userId]);
      const [made] = await query<{ id: string }>(NEW, [randomUUID(), userId, sessionId]);
      if (!made) return (await query<{ id: string }>(JOIN, [userId, sessionId]))[0]!.id;
      tell = await this.events.note(query, 'export_requested', doer, this.devices.of(caller));
      return made.id;
    });
    tell?.();
    return id;
  }

  async show({ userId, sessionId }: Doer): Promise<ExportState> {
    const [[row], prova] = await Promise.all([
      this.database.lookUp<ExportRow>(SHOWN, [userId, sessionId]),
      this.proofs.needed(userId),
    ]);
    const { chave_publica } = this;
    if (!row) return { prova, chave_publica, exportacao: null };
    const { id, created_at, done_at, failed_at, expires_at, bytes } = row;
    return {
      prova,
      chave_publica,
      exportacao: {
        id,
        situacao: failed_at ? 'falhou' : done_at ? 'pronta' : 'preparando',
        pedida_em: created_at.toISOString(),
        expira_em: expires_at?.toISOString() ?? null,
        tamanho: bytes,
      },
    };
  }

  /**
   * @throws Problem 404 for a copy of somebody else or another session, one that is not ready, or one that was deleted
   */
  async file({ userId, sessionId }: Doer, id: string): Promise<ExportFile> {
    const [row] = await this.database.lookUp<{ bytes: number; done_at: Date; timezone: string }>(FILE, [
      id,
      userId,
      sessionId,
    ]);
    if (!row) throw new Problem('account.export_not_found');
    const { bytes, done_at, timezone } = row;
    return { name: `rende-${dateOf(done_at, timezone)}.zip`, bytes, content: this.parts(id, bytes) };
  }

  /** Those that a lost job or a worker that ended has left. */
  async due(): Promise<string[]> {
    return (await this.database.query<{ id: string }>(DUE, [])).map(({ id }) => id);
  }

  /** Makes a copy unless another process has claimed it. A failure is recorded, not thrown. */
  async make(id: string): Promise<void> {
    const [claimed] = await this.database.query<{ user_id: string; attempts: number }>(CLAIM, [id]);
    if (!claimed) return;
    try {
      await this.database.query(CLEAR_PARTS, [id]);
      await this.waitForProjections(claimed.user_id);
      await this.database.query(DONE, [id, await this.store(id, claimed.user_id)]);
    } catch (error) {
      await this.database.query(LATER, [id]);
      const { attempts } = claimed;
      this.logger.warn({
        msg: 'copy of an account not made',
        exportId: id,
        attempts,
        err: describeError(error),
      });
    }
  }

  /** Waits for the projections: until then read tables still contain persons who were forgotten before. */
  private async waitForProjections(userId: string): Promise<void> {
    for (const { tenant_id } of await this.database.query<OwnMembership>(MEMBERSHIPS, [userId])) {
      const [log] = await this.database.read(tenant_id, logOf({ tenant_id }));
      if (!(await this.readYourWrites.wait(tenant_id, log!.position)))
        throw new Error('projections are behind');
    }
  }

  /** Returns the size of the file. */
  private async store(id: string, userId: string): Promise<number> {
    let [n, bytes] = [0, 0];
    let gathered: Buffer[] = [];
    const flush = async () => {
      const part = Buffer.concat(gathered);
      gathered = [];
      await this.database.query(NEW_PART, [id, n, this.secrets.seal(part, `${id}/${n}`)]);
      n += 1;
      bytes += part.length;
    };
    let size = 0;
    for await (const chunk of this.writer.write(userId)) {
      gathered.push(chunk);
      size += chunk.length;
      if (size < PART_BYTES) continue;
      size = 0;
      await flush();
    }
    await flush();
    return bytes;
  }

  private async *parts(id: string, bytes: number): AsyncGenerator<Buffer> {
    let sent = 0;
    for (let n = 0; sent < bytes; n += 1) {
      const [part] = await this.database.lookUp<{ sealed: Buffer }>(PART, [id, n]);
      if (!part) throw new Error('the copy has gone while it was sent');
      const content = this.secrets.open(part.sealed, `${id}/${n}`);
      sent += content.length;
      yield content;
    }
  }
}
