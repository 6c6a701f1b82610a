import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { serve, together } from '../../platform/http/serve.js';
import { contract } from './contract.js';
import { ListContractsInForce } from './contracts-in-force.queries.js';
import { ListContractReminders, remindersToMail } from './contract-reminders.queries.js';
import { ContractLinks } from './contract-links.service.js';
import { contractCodeMail, contractMail, ContractMails } from './contract-mails.service.js';
import { contractsApi, signatureRequestsApi, ownContractsApi, contractErrors } from './contracts.api.js';
import { CreateContract, ChangeContract } from './contracts.commands.js';
import {
  ContractsController,
  SignatureRequestsController,
  VerifyPageController,
} from './contracts.controller.js';
import { contractsHistory } from './contracts.history.js';
import { contractWhy } from './contracts.why.js';
import { signatureWhy } from './signature-requests.why.js';
import { contracts, signatureRequests } from './contracts.projection.js';
import { ListContracts, ShowContract } from './contracts.queries.js';
import { PreviewSending, ListRecipients } from './recipients.queries.js';
import {
  RemindSigner,
  RevokeRequest,
  RestoreRequest,
  RemindByItself,
  SendContract,
} from './sending.commands.js';
import { signatureRequest, type SignatureRequestEvent } from './signature-request.js';
import { ListRequests, ListContractsOf, Signables } from './signature-requests.queries.js';
import {
  SendCode,
  DeclineContract,
  OpenRequest,
  WithdrawFromContract,
  ConfirmCode,
  NoteDownload,
  SignContract,
} from './signing.commands.js';
import {
  ContractFilesController,
  OwnContractsController,
  SignatureLinksController,
  SigningPageController,
} from './signing.controller.js';
import { LinkedContracts } from './linked-contracts.service.js';
import { SignedCopies, signedCopiesDue, signedCopy, signedCopyWake } from './signed-copies.service.js';
import { VerifySealedHandler } from './sealed-entry.queries.js';
import { Signatures } from './verification.queries.js';
import { verifyFailures } from './verify-page.html.js';
import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone, eachTenantByDay } from '../../platform/jobs/each-alone.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_open_contracts($1)';

/**
 * Mails reminders to students who have not signed. Each reminder is decided again under the tenant's lock, so it is sent once even if
 * the job is interrupted or runs twice.
 */
export const contractReminders = defineSchedule(
  'contract-reminders',
  900_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenantByDay(database, now, { select: TENANTS, values: [now] }, async (tenantId, timezone) => {
      const due = await database.read(tenantId, remindersToMail(now));
      const idsOf = ({ id }: { id: string }) => ({ tenantId, requestId: id });
      await eachAlone(due, idsOf, ({ id }) =>
        commands.execute(new RemindByItself(nobodyOf(tenantId, timezone), id)),
      );
    }),
);

const becomes =
  (state: 'aberto' | 'encerrado') =>
  ({ request_id }: { request_id: string }): Write[] => [
    [`update signature_links set estado = '${state}' where tenant_id = $1 and request_id = $2`, request_id],
  ];

/** Finds a request by the hash of its link or of its code, and records which student has which version. */
const signatureLinks = defineGuard<SignatureRequestEvent>({
  name: 'signature-links',
  tables: ['signature_links'],
  writes: {
    ContractSent: ({ request_id, contract_id, student_id, versao, token_hash, expires_at }) => [
      [
        `insert into signature_links (tenant_id, request_id, contract_id, student_id, versao, token_hash, expires_at, estado)
          values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, 'aberto')`,
        request_id,
        contract_id,
        student_id,
        versao,
        token_hash,
        expires_at,
      ],
    ],
    ContractSigned: ({ request_id, codigo_hash }) => [
      [
        `update signature_links set estado = 'assinado', codigo_hash = decode($3, 'hex')
          where tenant_id = $1 and request_id = $2`,
        request_id,
        codigo_hash,
      ],
    ],
    ContractDeclined: becomes('encerrado'),
    ContractRevoked: becomes('encerrado'),
    ContractWithdrawn: becomes('encerrado'),
    ContractRestored: becomes('aberto'),
    ContractReassigned: ({ request_id, student_id }) => [
      [
        'update signature_links set student_id = $3 where tenant_id = $1 and request_id = $2',
        request_id,
        student_id,
      ],
    ],
  },
});

/**
 * Contracts (`contracts`) have versions: editing a contract that was sent makes a new version. `sanitize-html` reduces their
 * HTML to an allow list (`contract-content.html.ts`); the screens render only tags that they know, and the page of a link
 * (`signing-page.html.ts`) runs no script but the server's files. A signature request stores
 * the values of the merge fields with the student's key. The signature's event contains the signed text, its SHA-256, the
 * anonymised address and the version of the consents, under a retention key until the end of the fifth year after. A link
 * (`/assinar/{token}`) or a code (`/verificar/{code}`) is found by its hash (`signature_links`); the text's hash is salted,
 * because it is shown publicly. Why a link can no longer be signed follows from its request and its contract, with one text for
 * each reason (`closed-requests.api.ts`); a revoked link is called superseded while its student has another one, or has signed
 * by it (`contracts.commands.ts`). A contract may require a code by e-mail (`mailed-code.ts`; derived from the master key and
 * not stored) and the birth date. A guardian signs for a student under 16 and beside one under 18, by the record or by the typed
 * date, whatever the contract requires (`guardian.ts`); the sending says so before (`send/preview`). What a minor signed alone,
 * before this rule or before the birth date was recorded, is nowhere shown as valid (`sem_responsavel`) and can be sent again.
 * Merge fields name the trainer as the receipts do, and say what the product then does: the agreed price of a monthly plan, and
 * the policies of all places that come into question (`policiesInWords`). Who has not signed is reminded twice, unless the
 * contract says otherwise: by mail, or by a message in "Lembretes". The events store when the next
 * reminder is due, so that each is sent once.
 *
 * The PDF of a signature (`signed-copies.service.ts`) is generated once by the worker: the signed text and a page of evidence.
 * It is signed (PAdES: `platform/pdf/`, CMS by `pkijs`) with `PDF_CERTIFICATE`, or with a certificate that is generated at the
 * first start and stored encrypted in `pdf_certificate`. Where `TIMESTAMP_URL` is set it has a time stamp; if there is no valid
 * one after ten minutes, the file says that it has none. A time stamp is checked (`timestamp.ts`): hash and nonce are those of
 * the request, and it is signed by the time-stamping certificate that it contains; whether to trust the issuer is up to the
 * reader. The log stores its content, and `/verificar` shows it. Each character is written with the font file that has it
 * (`script-fonts.ts`); one that no font has is written as its code. Emojis in names and other short texts are ornaments and left
 * out of every file, but never of a contract's text: there the merge fields are filled without them when it is sent, so that
 * what is seen, signed and printed is the same. `kept_files` stores the PDF, encrypted with the key of the signature's
 * retention, and cannot be updated or deleted; its SHA-256 is in the log. `/verificar` (`verify-page.html.ts`) also takes a PDF: its script computes
 * its hash, and a code in the PDF's keywords distinguishes a modified file from an unknown one.
 */
@Module(
  together(
    serve(contractsApi, {
      preview: PreviewSending,
      requests: ListRequests,
      list: ListContracts,
      create: CreateContract,
      show: ShowContract,
      change: ChangeContract,
    }),
    serve(signatureRequestsApi, {
      remind: RemindSigner,
      reminders: ListContractReminders,
      revoke: RevokeRequest,
      restore: RestoreRequest,
    }),
    serve(ownContractsApi, {
      sendCode: SendCode,
      decline: DeclineContract,
      list: ListContractsOf,
      open: OpenRequest,
      withdraw: WithdrawFromContract,
    }),
    {
      controllers: [
        ContractsController,
        SignatureRequestsController,
        OwnContractsController,
        SignatureLinksController,
        SigningPageController,
        ContractFilesController,
        VerifyPageController,
      ],
      providers: [
        ContractLinks,
        LinkedContracts,
        ContractMails,
        contractReminders.Handler,
        SendContract.Handler,
        RemindByItself.Handler,
        NoteDownload.Handler,
        SignedCopies,
        ConfirmCode.Handler,
        SignContract.Handler,
        ListRecipients.Handler,
        ListContractsInForce.Handler,
        Signables,
        Signatures,
        VerifySealedHandler,
      ],
    },
  ),
)
export class ContractsModule {
  static readonly feature: Feature = {
    aggregates: [contract, signatureRequest],
    guards: [signatureLinks],
    projections: [contracts, signatureRequests],
    history: contractsHistory,
    why: { contract: contractWhy, signature: signatureWhy },
    ownData: {
      trainer: {
        contratos: `select id, titulo, tipo, is_active, codigo_email, responsavel, lembretes, versao, versoes, criado_em, alterado_em
      from contracts order by criado_em, id`,
      },
      sheets: {
        assinaturas: `select r.id, r.contract_id, r.student_id, a.nome as aluno, r.versao, r.status, r.enviado_em, r.expires_at, r.lembrado_em, r.aberto_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.titulo, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.enviado_em, r.id`,
      },
      student: {
        contratos: `select r.id, coalesce(r.titulo, c.versoes -> (r.versao - 1) ->> 'titulo') as titulo, r.versao, r.status, r.enviado_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r join contracts c on c.tenant_id = r.tenant_id and c.id = r.contract_id
      where r.student_id = $1 order by r.enviado_em, r.id`,
      },
    },
    errors: contractErrors,
    failures: [verifyFailures, pageFailures('/assinar', () => DEAD_LINK)],
    jobs: [signedCopy, signedCopiesDue, contractReminders],
    reactions: [contractMail, contractCodeMail, signedCopyWake],
  };
}
