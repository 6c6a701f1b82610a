import { Module, Controller } from '@nestjs/common';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import type { Feature, OwnerCommand } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { IntegrityChecks, integrityCheck, integrityChecksDue } from './integrity-checks.service.js';
import { SealBucket } from './seal-bucket.service.js';
import { SealFiles } from './seal-files.service.js';
import { type SealMailChange, sealsApi, sealsCalls } from './seals.api.js';
import { SealsJob, sealsDue } from './seals.job.js';
import { SealMails } from './seal-mails.service.js';
import { FindSealedHandler, ShowIntegrity } from './seals.queries.js';
import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { plural } from '../../platform/plural.api.js';
import { checkSeals } from './seal-check.service.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';

@Controller()
class SealsController {
  constructor(private readonly checks: IntegrityChecks) {}

  @Serves(sealsCalls.check)
  async check(@Ctx() { tenantId }: CommandContext) {
    return { answer: { id: await this.checks.request(tenantId) }, position: 0 };
  }
}

/** Verifies all seals and their copy, and that the log of every tenant still is what they hold. @throws where a finding is no restore */
const verifySeals: OwnerCommand = async (config, client) => {
  const files = new SealFiles(config);
  await client.query('begin isolation level repeatable read, read only');
  const { findings, days, stamped } = await checkSeals(
    files,
    async (text, values) => (await client.query<never>(text, values)).rows,
  );
  await client.query('rollback');
  const bucket = new SealBucket(config, files);
  const copy = bucket.isConfigured
    ? await bucket.differences().catch((error: unknown) => error as Error)
    : null;
  if (Array.isArray(copy)) findings.push(...copy);
  if (copy instanceof Error)
    findings.push({ outcome: 'faltam_lacres', text: `A cópia externa não foi conferida: ${copy.message}.` });
  const lines = [
    ...findings.map(({ tenantId, text }) => `${tenantId ? `${tenantId}: ` : ''}${text}`),
    days.length === 0
      ? `Nenhum lacre em ${config.sealsFolder}.`
      : `${plural(days.length, 'lacre conferido', 'lacres conferidos')}, de ${days[0]} a ${days.at(-1)}, ${stamped} com carimbo do tempo.`,
    ...(Array.isArray(copy) ? [`Cópia externa conferida: ${config.sealsBucket!.url}`] : []),
    `Chave pública (Ed25519): ${files.publicKeyText}`,
  ].join('\n');
  if (findings.some(({ outcome }) => outcome !== 'restaurado')) throw new Error(lines);
  return lines;
};

/** Whether the trainer gets the proof of the own log by mail each month. */
interface SealMailEvent {
  type: 'SealMailSet';
  data: { ativo: boolean };
}

interface SealMailState {
  ativo: boolean;
}

/** The stream's id is the tenant's. */
const sealMail: Aggregate<SealMailState, SealMailEvent> = {
  name: 'seal-mail',
  initialState: { ativo: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'SealMailSet':
        return { ...state, ...data };
    }
  },
  events: { SealMailSet: { schemaVersion: 1 } },
};

/** No event where it is so already. */
const decideSealMail = (state: SealMailState, ativo: boolean): SealMailEvent[] =>
  state.ativo === ativo ? [] : [{ type: 'SealMailSet', data: { ativo } }];

const SetSealMail = defineCommand('SetSealMail', async (tx, { ativo }: SealMailChange) => {
  const id = tx.context.tenantId;
  tx.append(sealMail, id, decideSealMail(await tx.load(sealMail, id), ativo));
  return { id };
});

/** One row, under the tenant's id, while the mail is wanted. */
const sealMails = stateProjection(sealMail, {
  name: 'seal-mails',
  topic: 'integrity',
  table: 'seal_mails',
  evolve(_row: { desde: string } | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'SealMailSet':
        return data.ativo ? { desde: event.recordedAt.toISOString() } : null;
    }
  },
});

/** Shown in the history of the settings. */
const sealMailHistory: HistoryWords<SealMailEvent> = {
  SealMailSet: {
    subjects: (_data: never, tenantId: string) => [`settings:${tenantId}`],
    words: ({ ativo }) => `${ativo ? 'Ativou' : 'Desativou'} o lacre mensal por e-mail`,
  },
};

/**
 * The hash chain shows a change inside of a log, but not that its end was cut off, nor that all of it was written anew. So each day is
 * sealed outside the database (`seals.job.ts`): a file with the head of every tenant's log as it was when the day ended, the root
 * of their Merkle tree, and a signature (`seal-files.service.ts`). Each record holds the hash of the one before, and with
 * `TIMESTAMP_URL` each file has a time stamp beside it. A trainer verifies the own log on a page: a worker computes the chain and
 * compares all seals (`seal-check.service.ts`), and the result is kept for a year with what the trainer can keep elsewhere, which is the
 * newest record with the way from the own head to its root; who wants it is mailed that each month (`seal-mails.service.ts`). A restored backup is older than seals: that is said as such.
 */
@Module(
  together(serve(sealsApi, { show: ShowIntegrity, setMail: SetSealMail }), {
    controllers: [SealsController],
    providers: [SealFiles, SealBucket, SealMails, SealsJob, IntegrityChecks, FindSealedHandler],
  }),
)
export class SealsModule {
  static readonly feature: Feature = {
    aggregates: [sealMail],
    projections: [sealMails],
    history: sealMailHistory,
    jobs: [sealsDue, integrityCheck, integrityChecksDue],
    purges: [`delete from integrity_checks where requested_at < now() - interval '1 year'`],
    commands: { 'seals:verify': verifySeals },
    ownData: {
      trainer: {
        'lacre-por-email': 'select desde from seal_mails',
        'verificacoes-de-integridade': `select id, requested_at as pedida_em, done_at as concluida_em, mailed_month as mes_do_email, result as resultado
          from integrity_checks order by requested_at, id`,
      },
    },
  };
}
