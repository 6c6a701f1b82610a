import { randomUUID } from 'node:crypto';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { contract, decideChange, decideCreate, existingContract } from './contract.js';
import { cleanHtml, isBlank } from './contract-content.html.js';
import type { ContractChanges, NewContract } from './contracts.api.js';
import { unknownFields } from './merge-fields.api.js';

const sentVersion = defineLookUp<object, [contractId: string, versao: number]>(
  'select from signature_links where tenant_id = $1 and contract_id = $2 and versao = $3 limit 1',
);

export const CreateContract = defineCommand('CreateContract', (tx, wanted: NewContract) => {
  const contract_id = randomUUID();
  tx.append(
    contract,
    contract_id,
    decideCreate(contract_id, { ...wanted, conteudo: readable(wanted.conteudo) }),
  );
  return { id: contract_id, versao: 1 };
});

/** A version that somebody has to sign, or has signed, stays as it is: what is changed then is a new one. */
export const ChangeContract = defineCommand(
  'ChangeContract',
  async (tx, id: string, changes: ContractChanges) => {
    const state = await tx.load(contract, id);
    const { versoes } = existingContract(state);
    const wanted =
      changes.conteudo === undefined ? changes : { ...changes, conteudo: readable(changes.conteudo) };
    const isSent = (await tx.lookUp(sentVersion, id, versoes.length)).length > 0;
    tx.append(contract, id, decideChange(state, wanted, isSent));
    return { id, versao: existingContract(await tx.load(contract, id)).versoes.length };
  },
);

/** @throws Problem 400 for a text of which nothing is left, or that names a field that nobody knows */
function readable(typed: string): string {
  const conteudo = cleanHtml(typed);
  const refuse = (detail: string) =>
    new Problem('validation', { errors: [{ pointer: '/conteudo', detail }] });
  if (isBlank(conteudo)) throw refuse('Escreva o contrato');
  const [unknown] = unknownFields(conteudo);
  if (unknown !== undefined) throw refuse(`Não existe o campo {{${unknown}}}`);
  return conteudo;
}
