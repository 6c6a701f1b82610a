import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { activeContract, contract } from './contract.js';
import { contentHash } from './contract-content.html.js';
import type { Signature } from './contracts.api.js';
import { fill, formatCpf } from './merge-fields.api.js';
import {
  decideDecline,
  decideOpen,
  decideSign,
  decideWithdraw,
  existingRequest,
  openRequest,
  type SignatureRequestState,
  type SignedCopy,
  signatureRequest,
} from './signature-request.js';

/** Years for which what is signed has to be kept, from the end of its own on. */
const YEARS_KEPT = 5;

/** @throws Problem 404 for another student's */
async function own(tx: CommandTransaction, id: string): Promise<SignatureRequestState> {
  const state = await tx.load(signatureRequest, id);
  if (existingRequest(state).student_id !== tx.context.studentId)
    throw new Problem('contracts.request_not_found');
  return state;
}

export const OpenRequest = defineCommand('OpenRequest', async (tx, id: string) => {
  tx.append(signatureRequest, id, decideOpen(await own(tx, id), tx.now));
  return { id };
});

/** How the server saw the signature come in. */
type Seen = Pick<SignedCopy, 'ip_address' | 'navegador' | 'meio' | 'codigo_hash'>;

/** What is signed is the text of that very version with its fields as they were when it was sent, and the CPF that was typed. */
export const SignContract = defineCommand(
  'SignContract',
  async (tx, id: string, { nome, cpf, telefone, ...agreed }: Signature, seen: Seen) => {
    const state = await own(tx, id);
    const { contract_id, versao, campos } = openRequest(state, tx.now);
    const { titulo, conteudo } = activeContract(await tx.load(contract, contract_id)).versoes[versao - 1]!;
    const values = Object.fromEntries(campos.map(({ campo, texto }) => [campo, texto ?? '']));
    const filled = fill(conteudo ?? '', { ...values, cpf: formatCpf(cpf) });
    const copy: SignedCopy = {
      ...{ versao, titulo, conteudo: filled, nome, cpf, telefone },
      ...agreed,
      ...seen,
      assinado_em: tx.now.toISOString(),
      conteudo_hash: contentHash({ contract_id, versao, titulo: titulo ?? '', conteudo: filled }),
      guardar_ate: `${tx.now.getUTCFullYear() + YEARS_KEPT}-12-31`,
    };
    tx.append(signatureRequest, id, decideSign(state, copy, tx.now));
    return { id };
  },
);

export const DeclineContract = defineCommand('DeclineContract', async (tx, id: string, motivo: string) => {
  tx.append(signatureRequest, id, decideDecline(await own(tx, id), motivo, tx.now));
  return { id };
});

/** Within the days that the law gives for what is contracted at a distance. */
export const WithdrawFromContract = defineCommand('WithdrawFromContract', async (tx, id: string) => {
  tx.append(signatureRequest, id, decideWithdraw(await own(tx, id), tx.now));
  return { id };
});
