import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { activeStudent, student } from '../students/student.js';
import { activeContract, contract } from './contract.js';
import { LINK_DAYS, MOST_STUDENTS, type Sending } from './contracts.api.js';
import type { MergeField } from './merge-fields.api.js';
import {
  type Channel,
  decideRemind,
  decideRevoke,
  existingRequest,
  type FieldValue,
  signatureRequest,
} from './signature-request.js';

interface Recipient extends PolicyTerms {
  id: string;
  plano: string | null;
  valor: number | null;
  validade_dias: number | null;
  local: string | null;
}

/** What a contract says of its students: of these, or of all active ones where it is given none. */
const recipients = defineLookUp<Recipient, [ids: readonly string[] | null, most: number]>(
  `select s.id, p.nome as plano, p.valor, p.validade_dias, l.nome as local, r.cancel_limite_horas, r.taxa_percent, r.queima_credito
   from read.students s
   left join read.plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id
   left join lateral (
     select x.location_id from read.sessions x
     where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted and x.location_id is not null
     order by x.inicio desc limit 1
   ) last on true
   left join read.locations l on l.tenant_id = s.tenant_id and l.id = last.location_id
   left join read.policies r on r.tenant_id = s.tenant_id and r.id = last.location_id
   where s.tenant_id = $1 and s.status = 'active' and ($2::uuid[] is null or s.id = any($2::uuid[]))
   order by s.id limit $3`,
);

interface Standing {
  request_id: string;
  student_id: string;
  versao: number;
  estado: 'aberto' | 'assinado' | 'encerrado';
  expires_at: Date;
}

const standing = defineLookUp<Standing, [contractId: string]>(
  `select request_id, student_id, versao, estado, expires_at from signature_links
   where tenant_id = $1 and contract_id = $2 and estado <> 'encerrado'`,
);

/**
 * Gives the contract's last version to students to sign. Who has it already is reminded; who has an older one gets the new
 * one in its place; who has signed this one is left out.
 */
export const SendContract = defineCommand(
  'SendContract',
  async (tx, contract_id: string, { alunos, canal }: Sending, tokenHashOf: (requestId: string) => string) => {
    const { versoes } = activeContract(await tx.load(contract, contract_id));
    const versao = versoes.length;
    const known = await tx.lookUp(recipients, alunos === 'todos' ? null : alunos, MOST_STUDENTS + 1);
    const ids = alunos === 'todos' ? known.map(({ id }) => id) : [...new Set(alunos)];
    if (ids.length === 0) throw new Problem('contracts.nobody');
    if (ids.length > MOST_STUDENTS)
      throw new Problem('contracts.too_many_students', {
        detail: `Envie para no máximo ${MOST_STUDENTS} alunos de cada vez.`,
      });
    const people = await Promise.all(ids.map((id) => tx.load(student, id)));
    const before = await tx.lookUp(standing, contract_id);

    let ja_assinados = 0;
    for (const [at, student_id] of ids.entries()) {
      const { nome } = activeStudent(people[at]!);
      const own = before.filter((one) => one.student_id === student_id);
      if (own.some((one) => one.estado === 'assinado' && one.versao === versao)) {
        ja_assinados += 1;
        continue;
      }
      const open = own.filter(({ estado }) => estado === 'aberto');
      const same = open.find((one) => one.versao === versao && one.expires_at > tx.now);
      if (same) {
        await remind(tx, same.request_id, canal);
        continue;
      }
      for (const { request_id } of open) await revoke(tx, request_id);
      const request_id = randomUUID();
      const values = valuesOf(
        nome,
        known.find(({ id }) => id === student_id),
        tx,
      );
      tx.append(signatureRequest, request_id, [
        {
          type: 'ContractSent',
          data: {
            ...{ request_id, contract_id, student_id, versao, canal },
            token_hash: tokenHashOf(request_id),
            expires_at: addDays(tx.now, LINK_DAYS).toISOString(),
            campos: values,
          },
        },
      ]);
    }
    return { id: contract_id, enviados: ids.length - ja_assinados, ja_assinados };
  },
);

/** In the words of the contract; what is not known says so. */
function valuesOf(
  nome: string | null,
  known: Recipient | undefined,
  { now, context: { timezone } }: CommandTransaction,
): FieldValue[] {
  const today = now.toLocaleDateString('sv-SE', { timeZone: timezone });
  const values: Record<Exclude<MergeField, 'cpf'>, string | null> = {
    aluno: nome,
    plano: known?.plano ?? null,
    valor: known?.valor == null ? null : brl(known.valor),
    validade: known?.validade_dias ? plural(known.validade_dias, 'dia', 'dias') : 'sem validade',
    local: known?.local ?? null,
    politica: policyInWords(known?.cancel_limite_horas == null ? defaultPolicy : known),
    data: shortDate(today),
  };
  return Object.entries(values).map(([campo, texto]) => ({
    campo: campo as MergeField,
    texto: texto ?? 'não informado',
  }));
}

function policyInWords({ cancel_limite_horas, taxa_percent, queima_credito }: PolicyTerms): string {
  const costs = [
    queima_credito && 'desconta 1 crédito',
    taxa_percent > 0 && `cobra taxa de ${taxa_percent}% do valor da sessão`,
  ].filter(Boolean);
  const limit = `cancelamento sem custo até ${cancel_limite_horas} h antes da sessão`;
  return costs.length === 0 ? limit : `${limit}; depois disso, ${costs.join(' e ')}`;
}

async function remind(tx: CommandTransaction, id: string, canal: Channel): Promise<void> {
  tx.append(signatureRequest, id, decideRemind(await tx.load(signatureRequest, id), canal, tx.now));
}

async function revoke(tx: CommandTransaction, id: string): Promise<void> {
  tx.append(signatureRequest, id, decideRevoke(await tx.load(signatureRequest, id)));
}

export const RemindSigner = defineCommand('RemindSigner', async (tx, id: string, canal: Channel) => {
  const { contract_id } = existingRequest(await tx.load(signatureRequest, id));
  activeContract(await tx.load(contract, contract_id));
  await remind(tx, id, canal);
  return { id };
});

export const RevokeRequest = defineCommand('RevokeRequest', async (tx, id: string) => {
  await revoke(tx, id);
  return { id };
});
