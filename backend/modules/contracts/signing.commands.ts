import { randomBytes } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { withoutUnseen } from '../../platform/http/common.api.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { mailsOf } from '../../platform/mail/mail-limits.js';
import { existingStudent, student } from '../students/student.js';
import { formatCpf } from '../students/cpf.api.js';
import { closings } from './closed-requests.api.js';
import { contract, type ExistingContract, existingContract } from './contract.js';
import { contentHash } from './contract-content.html.js';
import type { Refusal, Signature } from './contracts.api.js';
import { signedBy } from './guardian.js';
import { type CodeOf, confirmedAt, decideConfirmCode, decideSendCode } from './mailed-code.js';
import { fill } from './merge-fields.api.js';
import { isReplaced } from './contracts.commands.js';
import {
  decideDecline,
  decideDownload,
  decideOpen,
  decideSign,
  decideWithdraw,
  type DownloadedBy,
  type ExistingRequest,
  existingRequest,
  type SignatureRequestState,
  type SignedCopy,
  signatureRequest,
  whyClosed,
} from './signature-request.js';

/** Years for which a signature is kept, counted from the end of its year. */
const YEARS_KEPT = 5;
const SALT_BYTES = 16;

/** @throws Problem 404 for another student's request */
async function own(tx: CommandTransaction, id: string): Promise<SignatureRequestState> {
  const state = await tx.load(signatureRequest, id);
  if (existingRequest(state).student_id !== tx.context.studentId)
    throw new Problem('contracts.request_not_found');
  return state;
}

/**
 * The own request with its contract, if it can be signed. `contractId`, if known, lets both be loaded together. @throws
 * Problem 404 for another student's request, 409 with what the student can do where it can no longer be signed
 */
async function ownOpen(
  tx: CommandTransaction,
  id: string,
  contractId?: string,
): Promise<{ request: ExistingRequest; of: ExistingContract }> {
  const [state] = await Promise.all([own(tx, id), contractId && tx.load(contract, contractId)]);
  const request = existingRequest(state);
  const of = existingContract(await tx.load(contract, request.contract_id));
  const closed = whyClosed(request, tx.now) ?? (of.is_active ? null : 'inativo');
  if (closed === null) return { request, of };
  const isSuperseded = closed === 'cancelado' && (await isReplaced(tx, request));
  const { code, title, way } = closings[isSuperseded ? 'substituido' : closed];
  throw new Problem(code, { detail: `${title}. ${way}` });
}

/** The birth date that the trainer recorded; null if there is none. */
async function birthDateOf(tx: CommandTransaction, studentId: string): Promise<string | null> {
  const who = await tx.load(student, studentId);
  return who.status === 'unknown' ? null : who.nascimento;
}

export const OpenRequest = defineCommand('OpenRequest', async (tx, id: string) => {
  tx.append(signatureRequest, id, decideOpen(await own(tx, id), tx.now));
  return { id };
});

/** Mails a code to the student's recorded address. */
export const SendCode = defineCommand(
  'SendCode',
  { addresses: MailAddresses },
  async (tx, { addresses }, id: string) => {
    const { request } = await ownOpen(tx, id);
    const { email } = existingStudent(await tx.load(student, request.student_id));
    if (!email) throw new Problem('contracts.no_email');
    const events = decideSendCode(request, email, tx.now);
    const about = { personId: request.student_id, addressHash: addresses.hashOf(email) };
    const why = await mailsOf(tx)({ ...about, cause: 'code', thing: null });
    if (why !== null) throw new Problem('contracts.codes_of_today');
    tx.append(signatureRequest, id, events);
    return { id };
  },
);

/** A wrong code is an answer and not a refusal: it is recorded as a try. */
export const ConfirmCode = defineCommand(
  'ConfirmCode',
  async (tx, id: string, typed: string, codeOf: CodeOf) => {
    const { request } = await ownOpen(tx, id);
    const events = decideConfirmCode(request, typed, codeOf, tx.now);
    tx.append(signatureRequest, id, events);
    return { id, confirmado: events.every(({ type }) => type !== 'ContractCodeMistyped') };
  },
);

/** The signer's request, as the server saw it. */
interface Seen extends Pick<SignedCopy, 'ip_address' | 'navegador' | 'meio' | 'codigo_hash'> {
  codeOf: CodeOf;
}

/**
 * Signs the version that was sent, with its fields as they were then, and the CPF that was typed.
 */
export const SignContract = defineCommand(
  'SignContract',
  async (tx, id: string, signer: Signature, { codeOf, ...seen }: Seen, contractId?: string) => {
    const guardar_ate = `${Number(dateOf(tx.now, tx.context.timezone).slice(0, 4)) + YEARS_KEPT}-12-31`;
    tx.expect('ContractSigned', { student_id: tx.context.studentId, guardar_ate, nome: signer.nome });
    const { request, of } = await ownOpen(tx, id, contractId);
    const { contract_id, student_id, versao, campos, codigo } = request;
    const { versoes, requisitos } = of;
    const { titulo: stored, conteudo } = versoes[versao - 1]!;
    const titulo = withoutUnseen(stored ?? '');
    const { nome, cpf, telefone, consent_data_processing, consent_terms, consentimento } = signer;
    const values = Object.fromEntries(campos.map(({ campo, texto }) => [campo, texto ?? '']));
    // A text that was stored before these characters were removed is signed as it is shown: without them.
    const filled = withoutUnseen(fill(conteudo ?? '', { ...values, cpf: formatCpf(cpf) }));
    const sal = randomBytes(SALT_BYTES).toString('hex');
    const known = {
      today: dateOf(tx.now, tx.context.timezone),
      recorded: await birthDateOf(tx, student_id),
      asks: requisitos.responsavel,
    };
    const copy: SignedCopy = {
      versao,
      titulo,
      conteudo: filled,
      nome,
      cpf,
      telefone,
      sal,
      consent_data_processing,
      consent_terms,
      consentimento,
      ...seen,
      ...signedBy(signer, known),
      codigo_confirmado_em: requisitos.codigo_email
        ? confirmedAt(codigo, signer.codigo, codeOf, tx.now)
        : null,
      assinado_em: tx.now.toISOString(),
      conteudo_hash: contentHash({ contract_id, versao, titulo, conteudo: filled, sal }),
      guardar_ate,
    };
    tx.append(signatureRequest, id, decideSign(request, copy, tx.now));
    return { id };
  },
);

/** Records the download of the PDF. */
export const NoteDownload = defineCommand('NoteDownload', async (tx, id: string, por: DownloadedBy) => {
  const state = por === 'aluno' ? await own(tx, id) : await tx.load(signatureRequest, id);
  tx.append(signatureRequest, id, decideDownload(state, por));
  return { id };
});

export const DeclineContract = defineCommand(
  'DeclineContract',
  async (tx, id: string, { motivo }: Refusal) => {
    const { request } = await ownOpen(tx, id);
    tx.append(signatureRequest, id, decideDecline(request, motivo, tx.now));
    return { id };
  },
);

/** Withdraws from a contract within the legal period for contracts concluded at a distance. */
export const WithdrawFromContract = defineCommand('WithdrawFromContract', async (tx, id: string) => {
  tx.append(signatureRequest, id, decideWithdraw(await own(tx, id), tx.context.timezone, tx.now));
  return { id };
});
