import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { unprintable } from '../../platform/pdf/scripts.js';
import type { ExistingRequest } from './signature-request.js';
import { contract, decideChange, decideCreate, existingContract } from './contract.js';
import { cleanHtml, isBlank } from './contract-content.html.js';
import type { ContractChanges, NewContract } from './contracts.api.js';
import { unknownFields } from './merge-fields.api.js';

/** The most unprintable characters that one refusal lists. */
const MOST_NAMED = 5;

const sentVersion = defineLookUp<object, [contractId: string, versao: number]>(
  'select from signature_links where tenant_id = $1 and contract_id = $2 and versao = $3 limit 1',
);

export const CreateContract = defineCommand('CreateContract', async (tx, wanted: NewContract) => {
  const contract_id = randomUUID();
  refuseUnprintable('/titulo', wanted.titulo);
  const conteudo = await readable(wanted.conteudo);
  tx.append(contract, contract_id, decideCreate(contract_id, { ...wanted, conteudo }));
  return { id: contract_id, versao: 1 };
});

/** Changes the last version, or adds a new one where the last was already sent to somebody. */
export const ChangeContract = defineCommand(
  'ChangeContract',
  async (tx, id: string, changes: ContractChanges) => {
    const state = await tx.load(contract, id);
    const { versoes } = existingContract(state);
    refuseUnprintable('/titulo', changes.titulo ?? '');
    const { se_ainda, conteudo } = changes;
    const wanted = {
      ...changes,
      ...(conteudo !== undefined && { conteudo: await readable(conteudo) }),
      // Compared as it was stored.
      ...(se_ainda?.conteudo !== undefined && {
        se_ainda: { ...se_ainda, conteudo: await cleanHtml(se_ainda.conteudo) },
      }),
    };
    const isSent = (await tx.lookUp(sentVersion, id, versoes.length)).length > 0;
    tx.append(contract, id, decideChange(state, wanted, isSent));
    return { id, versao: existingContract(await tx.load(contract, id)).versoes.length };
  },
);

const refusal = (pointer: string, detail: string) =>
  new Problem('validation', { errors: [{ pointer, detail }] });

/** @throws Problem 400 for characters that the PDF's font does not have */
function refuseUnprintable(pointer: string, text: string): void {
  const signs = unprintable(text).slice(0, MOST_NAMED);
  if (signs.length > 0) throw refusal(pointer, `O PDF não mostra estes símbolos: ${signs.join(' ')}`);
}

/** @throws Problem 400 for a text without readable content, or with an unknown merge field */
async function readable(typed: string): Promise<string> {
  const conteudo = await cleanHtml(typed);
  if (isBlank(conteudo)) throw refusal('/conteudo', 'Escreva o contrato');
  const [unknown] = unknownFields(conteudo);
  if (unknown !== undefined) throw refusal('/conteudo', `Não existe o campo {{${unknown}}}`);
  refuseUnprintable('/conteudo', conteudo);
  return conteudo;
}

interface Standing {
  request_id: string;
  student_id: string;
  versao: number;
  estado: 'aberto' | 'assinado';
  expires_at: Date;
}

/** The requests of a contract that wait for a signature or are signed. */
export const standing = defineLookUp<Standing, [contractId: string]>(
  `select request_id, student_id, versao, estado, expires_at from signature_links
   where tenant_id = $1 and contract_id = $2 and estado <> 'encerrado'`,
);

/** Whether the student has another link for the contract, or has signed this version or a later one. */
export async function isReplaced(
  tx: CommandTransaction,
  { request_id, contract_id, student_id, versao }: ExistingRequest,
): Promise<boolean> {
  const others = await tx.lookUp(standing, contract_id);
  return others.some(
    (one) =>
      one.student_id === student_id &&
      one.request_id !== request_id &&
      (one.estado === 'aberto' || one.versao >= versao),
  );
}
