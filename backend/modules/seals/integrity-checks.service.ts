import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Database, type Query } from '../../platform/database/database.js';
import { brokenChains } from '../../platform/event-store/audit.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { describeError } from '../../platform/ops/logger.js';
import { checkSeals, type SealFinding, type SealsChecked } from './seal-check.service.js';
import { SealBucket } from './seal-bucket.service.js';
import { lineOf, SealFiles, siblingsOf } from './seal-files.service.js';
import { type CheckResult, outcomes } from './seals.api.js';

const SEE = "select set_config('app.tenant', $1, true)";
const SNAPSHOT = 'set transaction isolation level repeatable read';
/** One at a time: whoever asks again meanwhile gets the one that is waiting. */
const NEW = `insert into integrity_checks as c (tenant_id, id, mailed_month) values ($1, $2, $3)
  on conflict (tenant_id) where done_at is null do update set mailed_month = coalesce(c.mailed_month, excluded.mailed_month)
  returning id`;
const REQUESTED = 'select requested_at, now() from integrity_checks where tenant_id = $1 and id = $2';
const EVENTS = 'select count(*)::int as count from events where tenant_id = $1';
const DONE = `update integrity_checks set done_at = now(), result = $3
  where tenant_id = $1 and id = $2 and done_at is null returning mailed_month`;
const ALL_WAITING = 'select tenant_id as "tenantId", id from waiting_integrity_checks()';
/** Kind of the mail with the result of a check. */
export const SEAL_MAIL = 'seals.proof';
const MOST_FINDINGS = 10;

const payload = z.strictObject({ tenantId: z.uuid(), id: z.uuid() });
type Wanted = z.infer<typeof payload>;

/** The bucket's part of a check. */
type Copy = { findings: SealFinding[] | undefined } | null;

/** Does the checks whose job was lost or failed. */
export const integrityChecksDue = defineJob({ name: 'integrity-checks-due', schedule: { everyMs: 60_000 } });

/** Verifies the log of a tenant against its hashes and the seals. */
export const integrityCheck = defineJob({
  name: 'integrity-checks',
  queue: 'files',
  payload,
  sweptBy: integrityChecksDue,
});

/** Checks that trainers ask for. Only workers do them, because only they need the folder of the seals. */
@Injectable()
export class IntegrityChecks implements OnModuleInit {
  private readonly logger = new Logger(IntegrityChecks.name);
  /** The last comparison with the bucket, and when it began by the database's clock. */
  private compared: { begun: Date; copy: Promise<Copy> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly files: SealFiles,
    private readonly bucket: SealBucket,
    private readonly queues: Queues,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.queues.handle(integrityCheck, (wanted) => this.check(wanted));
    this.queues.handle(integrityChecksDue, () => this.run());
  }

  /** Returns the id of the check. `month`: of which its result is mailed. */
  async request(tenantId: string, month: string | null = null): Promise<string> {
    const [{ id }] = (await this.inSight(tenantId, (query) =>
      query<{ id: string }>(NEW, [tenantId, randomUUID(), month]),
    )) as [{ id: string }];
    this.queues.add(integrityCheck, { tenantId, id }).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of an integrity check lost', tenantId, err: describeError(error) });
    });
    return id;
  }

  async run(): Promise<void> {
    const waiting = await this.database.lookUp<Wanted>(ALL_WAITING, []);
    await eachAlone(
      waiting,
      ({ tenantId }) => ({ tenantId }),
      (wanted) => this.check(wanted),
    );
  }

  /** Postgres computes the hashes, so the event loop is free meanwhile. */
  private async check({ tenantId, id }: Wanted): Promise<void> {
    const [times] = await this.inSight(tenantId, (query) =>
      query<{ requested_at: Date; now: Date }>(REQUESTED, [tenantId, id]),
    );
    if (!times) return;
    const copy = await this.copySince(times);
    const result = await this.database.transact(async (query): Promise<CheckResult> => {
      await query(SNAPSHOT, []);
      await query(SEE, [tenantId]);
      const [{ count }] = (await query<{ count: number }>(EVENTS, [tenantId])) as [{ count: number }];
      const chain = await brokenChains(query, [tenantId]);
      const seals = await checkSeals(this.files, query, tenantId);
      return resultOf(tenantId, count, chain, { ...seals, copy }, this.files.publicKeyText);
    });
    const isMailed = await this.inSight(tenantId, async (query) => {
      const values = [tenantId, id, JSON.stringify(result)];
      const [done] = await query<{ mailed_month: string | null }>(DONE, values);
      if (!done?.mailed_month) return false;
      await this.outbox.put(query, { id, tenantId, kind: SEAL_MAIL, personId: null, subjectId: id });
      return true;
    });
    if (isMailed) this.outbox.wake(id);
  }

  /**
   * A comparison that began after the check was requested: one serves all checks that were waiting then, as on the first of a month,
   * because a bucket that does not answer takes long.
   */
  private copySince({ requested_at, now }: { requested_at: Date; now: Date }): Promise<Copy> {
    if (!this.compared || this.compared.begun < requested_at)
      this.compared = { begun: now, copy: this.compareCopy() };
    return this.compared.copy;
  }

  /** Null if there is none; `findings` is undefined if its server does not answer. */
  private async compareCopy(): Promise<Copy> {
    if (!this.bucket.isConfigured) return null;
    const findings = await this.bucket.differences().catch((error: unknown) => {
      this.logger.warn({ msg: 'the bucket of the seals was not verified', err: describeError(error) });
      return undefined;
    });
    return { findings };
  }

  private inSight<Result>(tenantId: string, work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      return work(query);
    });
  }
}

function resultOf(
  tenantId: string,
  registros: number,
  chain: readonly { position?: number; message: string }[],
  { findings, days, stamped, newest, copy }: SealsChecked & { copy: Copy },
  publicKey: string,
): CheckResult {
  const found = [
    ...chain.map(({ position, message }) => ({
      outcome: 'alterado' as const,
      text: position === undefined ? `No fim do histórico: ${message}.` : `Registro ${position}: ${message}.`,
    })),
    ...findings,
    ...(copy?.findings ?? []),
  ];
  const worst = Math.max(0, ...found.map(({ outcome }) => outcomes.indexOf(outcome)));
  const leaf = newest?.leaves.findIndex((each) => each.tenantId === tenantId) ?? -1;
  return {
    situacao: outcomes[worst]!,
    registros,
    lacres: {
      conferidos: days.length,
      carimbados: stamped,
      primeiro: days[0] ?? null,
      ultimo: days.at(-1) ?? null,
    },
    ...(copy && { copia_externa: copy.findings ? ('conferida' as const) : ('sem_resposta' as const) }),
    achados: found.slice(0, MOST_FINDINGS).map(({ text }) => text),
    total_de_achados: found.length,
    comprovante:
      newest && leaf >= 0
        ? {
            registro: newest.text,
            assinatura: newest.signature,
            chave_publica: publicKey,
            folha: lineOf(newest.leaves[leaf]!),
            caminho: siblingsOf(newest, leaf),
          }
        : null,
  };
}
