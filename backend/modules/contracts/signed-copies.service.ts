import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { EventCodec } from '../../platform/event-store/event-codec.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { KeptFiles } from '../../platform/event-store/kept-files.service.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { PdfSeals } from '../../platform/pdf/pdf-seals.service.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import { ContractLinks } from './contract-links.service.js';
import { lacksGuardian } from './guardian.js';
import {
  decideKeepCopy,
  signatureRequest,
  type SignatureRequestEvent,
  type SignedCopy,
} from './signature-request.js';
import type { Evidence, Step } from './signed-copy.pdf.js';
import { sql } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { firstHash, storedEvents } from '../../platform/event-store/stored-events.js';
import { trainersName } from '../accounts/trainers-name.queries.js';
import type { CommandBus } from '@nestjs/cqrs';
import { Problem } from '../../platform/http/problem.js';
import { NoteDownload } from './signing.commands.js';

/** Events that the evidence of a signed copy lists. */
const steps = storedEvents({
  ContractSent: [1, 2],
  ContractReminded: [1, 2],
  ContractOpened: [1],
  ContractCodeSent: [1, 2],
  ContractCodeMistyped: [1],
  ContractCodeConfirmed: [1],
  ContractRevoked: [1],
  ContractRestored: [1],
  ContractSigned: [1, 2],
});

/**
 * A signature with the events that led to it: personal data comes from read tables, the events and their hashes from the log.
 */
const evidenceOf = statement((db, { id, stream }: Blanks<{ id: string; stream: string }>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .innerJoin('events as e', (join) =>
      join
        .onRef('e.tenant_id', '=', 'r.tenant_id')
        .on('e.stream_id', '=', stream)
        .on('e.type', '=', 'ContractSigned'),
    )
    .select(['r.contract_id', 'r.student_id', 'r.versao', 'r.titulo', 'r.conteudo', 'r.nome', 'r.cpf'])
    .select(['r.telefone', 'r.nascimento', 'r.ip_address', 'r.navegador', 'r.meio', 'r.assinado_em'])
    .select([
      'r.conteudo_hash',
      'r.sal',
      'r.codigo_email',
      'r.codigo_confirmado_em',
      'r.arquivo_hash',
      't.timezone',
    ])
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select('s.nascimento as recorded')
    .select('e.position as posicao')
    .select(sql<SignedCopy['responsavel']>`r.responsavel`.as('responsavel'))
    .select(sql<string>`r.consentimento::text`.as('consentimento'))
    .select(sql<string>`r.guardar_ate::text`.as('guardar_ate'))
    .select(sql<string>`${sql.raw(firstHash('e'))}`.as('evento_hash'))
    .select(trainersName.as('personal'))
    .select(
      sql<
        readonly Step[]
      >`(select jsonb_agg(jsonb_build_object('type', s.type, 'em', s.recorded_at, 'posicao', s.position,
            'canal', s.data ->> 'canal')
          order by s.version)
        from ${sql.raw(steps)} s where s.tenant_id = r.tenant_id and s.stream_id = ${stream} and s.position <= e.position)`.as(
        'steps',
      ),
    )
    .where('r.id', '=', id)
    .compile(),
);

const payload = z.strictObject({ tenantId: z.uuid(), requestId: z.uuid() });
/** How long a PDF waits for its time stamp; then it is written without one, and says so. */
const STAMP_PATIENCE_MS = 10 * 60_000;
/** Copies that one process makes concurrently: most of the time is spent waiting for the time stamp server. */
const AT_ONCE = 4;
const DUE = 'select tenant_id as "tenantId", request_id as "requestId" from signed_copies_due()';

/** Finds signatures whose job was lost or failed. */
export const signedCopiesDue = defineJob({ name: 'signed-copies-due', schedule: { everyMs: 60_000 } });

/** Writes the PDF of a signature. */
export const signedCopy = defineJob({
  name: 'signed-copies',
  queue: 'files',
  payload,
  attempts: 6,
  backoffMs: 2_000,
  sweptBy: signedCopiesDue,
});
export const signedCopyWake = defineReaction({
  name: 'signed-copy',
  events: ['ContractSigned'] satisfies SignatureRequestEvent['type'][],
});

class KeepSignedCopy {
  constructor(readonly context: CommandContext) {}
}

/** The PDF of each signature: written once by the worker, and stored encrypted with the student's retention key. */
@Injectable()
export class SignedCopies implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly queues: Queues,
    private readonly reactions: Reactions,
    private readonly files: KeptFiles,
    private readonly seals: PdfSeals,
    private readonly writer: PdfWriter,
    private readonly links: ContractLinks,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(signedCopy, ({ tenantId, requestId }) => this.make(tenantId, requestId));
    this.queues.handle(signedCopiesDue, () => this.makeDue());
    this.reactions.handle(signedCopyWake, ({ event: { tenantId, data } }) => {
      const job = { tenantId, requestId: data.request_id as string };
      return Promise.resolve(() => void this.queues.add(signedCopy, job).catch(() => undefined));
    });
  }

  /** Null where it is not written yet, or the retention period is over. */
  open(tenantId: string, requestId: string): Promise<Buffer | null> {
    return this.files.open(tenantId, requestId);
  }

  /** A copy that fails does not stop the others. */
  private async makeDue(): Promise<void> {
    const due = await this.database.lookUp<z.infer<typeof payload>>(DUE, []);
    const failures: unknown[] = [];
    const makeNext = async (): Promise<void> => {
      for (let next = due.shift(); next; next = due.shift())
        await this.make(next.tenantId, next.requestId).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, makeNext));
    if (failures.length > 0) throw failures[0];
  }

  private async make(tenantId: string, requestId: string): Promise<void> {
    const stream = `signature-request:${requestId}`;
    const [row] = await this.database.read(tenantId, evidenceOf({ id: requestId, stream }));
    if (!row?.assinado_em || row.nome === null || row.arquivo_hash !== null) return;
    const { student_id: personId, guardar_ate, timezone } = row;
    const codigo = this.links.codeOf(requestId);
    const evidence = {
      ...row,
      codigo,
      url: this.links.verificationUrlOf(requestId),
      titulo: row.titulo ?? '',
      conteudo: row.conteudo ?? '',
      personal: row.personal ?? '',
      nome: row.nome,
      assinado_em: row.assinado_em,
      meio: row.meio ?? '',
      conteudo_hash: row.conteudo_hash ?? '',
      sem_responsavel: lacksGuardian(row, timezone),
    };
    const hasWaited = this.clock.now().getTime() - row.assinado_em.getTime() >= STAMP_PATIENCE_MS;
    const write = (carimbo: Evidence['carimbo']) =>
      this.writer.write<Evidence>(tenantId, 'signed-copy', { ...evidence, carimbo });
    const { file, stampedAt } = await this.seals.seal(write, hasWaited);
    const sha256 = createHash('sha256').update(file).digest();
    const facts = { student_id: personId, guardar_ate, titulo: '' };
    const [key] = this.codec.keysOf('ContractSigned', facts, tenantId);
    const keep = await this.files.seal({ tenantId, id: requestId, personId, keyId: key!.id, sha256 }, file);
    if (!keep) return;
    const context = nobodyOf(tenantId, timezone);
    await this.store.transact(new KeepSignedCopy(context), async (tx) => {
      const events = decideKeepCopy(await tx.load(signatureRequest, requestId), {
        arquivo_hash: sha256.toString('hex'),
        carimbo_em: stampedAt?.toISOString() ?? null,
      });
      tx.append(signatureRequest, requestId, events);
      if (events.length > 0) tx.inTransaction(keep);
      return { id: requestId };
    });
  }
}

/**
 * Answers with the PDF of a signature and records the download. @throws Problem 404 for another student's, 409 where it is not
 * signed or the PDF is not ready
 */
export async function pdfOf(
  commands: CommandBus,
  copies: SignedCopies,
  context: CommandContext,
  id: string,
): Promise<StreamableFile> {
  await commands.execute(new NoteDownload(context, id, context.role));
  const file = await copies.open(context.tenantId, id);
  if (!file) throw new Problem('contracts.copy_not_ready');
  return new StreamableFile(file, {
    type: 'application/pdf',
    disposition: `attachment; filename="contrato-${id.slice(0, 8)}.pdf"`,
    length: file.length,
  });
}
