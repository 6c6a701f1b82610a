import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses, type AddressHash } from '../../platform/mail/mail-addresses.js';
import { mailsOf, mailWithheld, type WantedMail, whyWithheld } from '../../platform/mail/mail-limits.js';
import { withoutEmojis } from '../../platform/pdf/scripts.js';
import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { monthlyPlan } from '../charges/monthly-plan.js';
import { location } from '../locations/location.js';
import { chargeTermsStream, termsInWords } from '../charges/charge-terms.js';
import { dueDayInWords } from '../plans/monthly-terms.api.js';
import { type ExistingPlan, plan } from '../plans/plan.js';
import { periodOf } from '../plans/plans.api.js';
import { cancellationPolicy } from '../policies/cancellation-policy.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { TRAINERS_NAME } from '../accounts/trainers-name.queries.js';
import { receiptIssuerStream } from '../receipts/receipt-issuer.js';
import { formatDocument } from '../students/document.api.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { activeContract, contract } from './contract.js';
import { type Reminder, MOST_STUDENTS, REMIND_AFTER_DAYS, type Sending } from './contracts.api.js';
import { lacksGuardian } from './guardian.js';
import type { MergeField } from './merge-fields.api.js';
import { isReplaced, standing } from './contracts.commands.js';
import {
  type Channel,
  decideRemind,
  decideRemindByItself,
  decideRestore,
  decideRevoke,
  type ExistingRequest,
  existingRequest,
  type FieldValue,
  signatureRequest,
} from './signature-request.js';

/** A student who gets a contract. */
export interface Recipient {
  id: string;
  /** Where the student trains, or could where that is not known yet; null stands for sessions without a location. */
  location_ids: (string | null)[];
  /** The trainer's other active locations. */
  other_ids: string[];
}

const openOf = defineLookUp<{ request_id: string }, [studentId: string]>(
  `select request_id from signature_links where tenant_id = $1 and student_id = $2 and estado = 'aberto'`,
);

/** The trainer's name in the account, for contracts before receipts have been set up. */
const accountName = defineLookUp<{ nome: string | null }, []>(
  `select ${TRAINERS_NAME} as nome from tenants where tenant_id = $1`,
);

interface Wanted {
  recipients: readonly Recipient[];
  canal: Channel;
  prazo_dias: Sending['prazo_dias'];
  tokenHashOf: (requestId: string) => string;
  addressOf: AddressHash;
}

/**
 * Sends the last version to students. Students who already have it are reminded, those with an earlier version get this one in
 * its place, and those who have signed it are left out.
 */
export const SendContract = defineCommand(
  'SendContract',
  async (tx, contract_id: string, { recipients, canal, prazo_dias, tokenHashOf, addressOf }: Wanted) => {
    const { versoes } = activeContract(await tx.load(contract, contract_id));
    const versao = versoes.length;
    if (recipients.length === 0) throw new Problem('contracts.nobody');
    if (recipients.length > MOST_STUDENTS)
      throw new Problem('contracts.too_many_students', {
        detail: `Envie para no máximo ${MOST_STUDENTS} alunos de cada vez.`,
      });
    const people = await Promise.all(recipients.map(({ id }) => tx.load(student, id)));
    const before = await tx.lookUp(standing, contract_id);

    let ja_assinados = 0;
    const wanted = [];
    for (const [at, { id: student_id, ...where }] of recipients.entries()) {
      const { nome, plano_id, email, nascimento } = activeStudent(people[at]!);
      const own = before.filter((one) => one.student_id === student_id);
      const signed = own.filter((one) => one.estado === 'assinado' && one.versao === versao);
      if (await isAnyValid(tx, signed, nascimento)) {
        ja_assinados += 1;
        continue;
      }
      wanted.push({ student_id, nome, plano_id, email, where, own });
    }
    const take = mailsOf(tx);
    const outcomes = await Promise.all(
      wanted.map(async ({ student_id, email }) => {
        if (canal !== 'email' || email === null) return 'not_wanted';
        return (await take(mailOf(student_id, addressOf(email), { contract_id, versao }))) ?? 'mailed';
      }),
    );

    const trainer = await trainerFields(tx);
    let sem_email = 0;
    let retidos = 0;
    let retido_por: string | null = null;
    for (const [at, { student_id, nome, plano_id, email, where, own }] of wanted.entries()) {
      const outcome = outcomes[at]!;
      const isMailed = outcome === 'mailed';
      if (canal === 'email' && email === null) sem_email += 1;
      else if (outcome !== 'mailed' && outcome !== 'not_wanted') {
        retidos += 1;
        retido_por ??= whyWithheld[outcome];
      }
      const open = own.filter(({ estado }) => estado === 'aberto');
      const same = open.find((one) => one.versao === versao && one.expires_at > tx.now);
      if (same) {
        // By mail, only students who get one were reminded.
        if (canal === 'link' || isMailed) await remind(tx, same.request_id, canal);
        continue;
      }
      for (const { request_id } of open) await revoke(tx, request_id);
      const request_id = randomUUID();
      tx.append(signatureRequest, request_id, [
        {
          type: 'ContractSent',
          data: {
            request_id,
            contract_id,
            student_id,
            versao,
            canal: isMailed ? 'email' : 'link',
            token_hash: tokenHashOf(request_id),
            expires_at: addDays(tx.now, prazo_dias).toISOString(),
            lembrete_em: addDays(tx.now, REMIND_AFTER_DAYS).toISOString(),
            campos: await valuesOf(tx, { student_id, nome, plano_id, ...where }, trainer),
          },
        },
      ]);
    }
    return { id: contract_id, enviados: wanted.length, ja_assinados, sem_email, retidos, retido_por };
  },
);

/** Whether one of the signatures counts: that of a minor alone does not, so the contract is sent again to the guardian. */
async function isAnyValid(
  tx: CommandTransaction,
  signed: readonly { request_id: string }[],
  recorded: string | null,
): Promise<boolean> {
  for (const { request_id } of signed) {
    const { assinado_em, nascimento, responsavel } = existingRequest(
      await tx.load(signatureRequest, request_id),
    );
    const its = { assinado_em: new Date(assinado_em!), nascimento, responsavel, recorded };
    if (!lacksGuardian(its, tx.context.timezone)) return true;
  }
  return false;
}

interface About extends Omit<Recipient, 'id'> {
  student_id: string;
  nome: string | null;
  plano_id: string | null;
}

type TrainerFields = Record<'personal' | 'documento' | 'cref', string | null>;

/** What contracts say of the trainer: what receipts say, or else the name of the account. */
async function trainerFields(tx: CommandTransaction): Promise<TrainerFields> {
  const [issuer, [account]] = await Promise.all([
    tx.load(receiptIssuerStream, tx.context.tenantId),
    tx.lookUp(accountName),
  ]);
  return {
    personal: issuer?.nome ?? account?.nome ?? null,
    documento: issuer?.documento ? formatDocument(issuer.documento) : null,
    cref: issuer?.cref ?? null,
  };
}

/**
 * The values of merge fields, in the words of the contract; missing ones say so. They say what the product then does: the price
 * is the agreed one, and the policies are those of all places that come into question.
 */
async function valuesOf(
  tx: CommandTransaction,
  { student_id, nome, plano_id, location_ids, other_ids }: About,
  trainer: TrainerFields,
): Promise<FieldValue[]> {
  const today = dateOf(tx.now, tx.context.timezone);
  const [places, others, agreement, terms] = await Promise.all([
    Promise.all(location_ids.map((id) => placeOf(tx, id))),
    Promise.all(other_ids.map((id) => placeOf(tx, id))),
    tx.load(monthlyPlan, student_id),
    tx.load(chargeTermsStream, tx.context.tenantId),
  ]);
  const agreed = agreement?.ativo && (agreement.ate === null || agreement.ate >= today) ? agreement : null;
  const plan_id = agreed?.plano_id ?? plano_id;
  const its = plan_id === null ? null : await tx.load(plan, plan_id);
  const bought = its?.status === 'existing' ? its : null;
  const names = places.flatMap(({ nome }) => nome ?? []);
  const values: Record<Exclude<MergeField, 'cpf'>, string | null> = {
    aluno: nome,
    plano: bought && bought.nome,
    valor: bought && priceInWords(bought, agreed),
    encargos: termsInWords(terms),
    validade: bought && (bought.validade_dias ? plural(bought.validade_dias, 'dia', 'dias') : 'sem validade'),
    local: names.length > 0 ? anyOf.format(names) : null,
    politica: policiesInWords(places, others),
    data: shortDate(today),
    ...trainer,
  };
  return Object.entries(values).map(([campo, texto]) => ({
    campo: campo as MergeField,
    // Left out here, so that what is seen, what is signed and what is printed are the same.
    texto: withoutEmojis(texto ?? 'não informado'),
  }));
}

const anyOf = new Intl.ListFormat('pt-BR', { type: 'disjunction' });

function priceInWords(
  { valor, tipo }: ExistingPlan,
  agreed: { valor: number; vence_dia: number } | null,
): string {
  const period = periodOf(tipo);
  if (period === null) return brl(valor);
  return agreed
    ? `${brl(agreed.valor)} ${period.por}, com vencimento no ${dueDayInWords(agreed.vence_dia)}`
    : `${brl(valor)} ${period.por}`;
}

interface Place {
  /** Null for sessions without a location. */
  nome: string | null;
  policy: PolicyTerms;
}

async function placeOf(tx: CommandTransaction, id: string | null): Promise<Place> {
  if (id === null) return { nome: null, policy: defaultPolicy };
  const [place, policy] = await Promise.all([tx.load(location, id), tx.load(cancellationPolicy, id)]);
  return { nome: place.status === 'existing' ? place.nome : null, policy };
}

/** The policy, with the names of its places where not all places of the trainer have the same. */
export function policiesInWords(places: readonly Place[], others: readonly Place[] = []): string {
  const namesBy = new Map<string, string[]>();
  for (const { nome, policy } of places) {
    const words = policyInWords(policy);
    namesBy.set(words, [...(namesBy.get(words) ?? []), nome ?? 'sem local definido']);
  }
  if (namesBy.size === 0) return policyInWords(defaultPolicy);
  if (namesBy.size === 1 && others.every(({ policy }) => namesBy.has(policyInWords(policy))))
    return [...namesBy.keys()][0]!;
  return [...namesBy].map(([words, names]) => `${anyOf.format(names)}: ${words}`).join('. ');
}

function policyInWords({ cancel_limite_horas, taxa_percent, queima_credito }: PolicyTerms): string {
  const costs = [
    queima_credito && 'desconta 1 crédito',
    taxa_percent > 0 && `cobra taxa de ${taxa_percent}% do valor da sessão`,
  ].filter(Boolean);
  const until = cancel_limite_horas === 0 ? 'o início da sessão' : `${cancel_limite_horas} h antes da sessão`;
  const limit = `cancelamento sem custo até ${until}`;
  return costs.length === 0 ? limit : `${limit}; depois disso, ${costs.join(' e ')}`;
}

async function remind(tx: CommandTransaction, id: string, canal: Channel): Promise<void> {
  tx.append(signatureRequest, id, decideRemind(await tx.load(signatureRequest, id), canal, tx.now));
}

async function revoke(tx: CommandTransaction, id: string): Promise<void> {
  tx.append(signatureRequest, id, decideRevoke(await tx.load(signatureRequest, id)));
}

export async function revokeOpenOf(tx: CommandTransaction, studentId: string): Promise<void> {
  for (const { request_id } of await tx.lookUp(openOf, studentId)) await revoke(tx, request_id);
}

/** A corrected version is something new. */
const mailOf = (personId: string, addressHash: Buffer, { contract_id, versao }: Of): WantedMail => ({
  personId,
  addressHash,
  cause: 'trainer',
  thing: `contract/${contract_id}/${versao}`,
});
type Of = Pick<ExistingRequest, 'contract_id' | 'versao'>;

export const RemindSigner = defineCommand(
  'RemindSigner',
  { addresses: MailAddresses },
  async (tx, { addresses }, id: string, { canal }: Reminder) => {
    const request = existingRequest(await tx.load(signatureRequest, id));
    const { contract_id, student_id } = request;
    activeContract(await tx.load(contract, contract_id));
    const { email } = existingStudent(await tx.load(student, student_id));
    if (canal === 'email') {
      if (!email) throw new Problem('contracts.no_address');
      const why = await mailsOf(tx)(mailOf(student_id, addresses.hashOf(email), request));
      if (why !== null) throw mailWithheld(why);
    }
    await remind(tx, id, canal);
    return { id };
  },
);

/**
 * Mails an automatic reminder. Does nothing where contract or student is inactive, reminders are switched off, or the student
 * no longer has an address.
 */
export const RemindByItself = defineCommand(
  'RemindByItself',
  { addresses: MailAddresses },
  async (tx, { addresses }, id: string) => {
    const state = await tx.load(signatureRequest, id);
    const request = existingRequest(state);
    const { contract_id, student_id } = request;
    const [of, who] = await Promise.all([tx.load(contract, contract_id), tx.load(student, student_id)]);
    const isWanted = of.status === 'existing' && of.is_active && of.requisitos.lembretes;
    if (!isWanted || who.status !== 'active' || !who.email) return { id };
    const events = decideRemindByItself(state, tx.now);
    if (events.length === 0) return { id };
    const why = await mailsOf(tx)(mailOf(student_id, addresses.hashOf(who.email), request));
    if (why === null) tx.append(signatureRequest, id, events);
    return { id };
  },
);

export const RevokeRequest = defineCommand('RevokeRequest', async (tx, id: string) => {
  await revoke(tx, id);
  return { id };
});

/** Undoes the revocation of a link, unless the student has another link, or has signed this version or a later one. */
export const RestoreRequest = defineCommand('RestoreRequest', async (tx, id: string) => {
  const state = await tx.load(signatureRequest, id);
  const request = existingRequest(state);
  const [of, who, replaced] = await Promise.all([
    tx.load(contract, request.contract_id),
    tx.load(student, request.student_id),
    isReplaced(tx, request),
  ]);
  activeContract(of);
  activeStudent(who);
  if (replaced) throw new Problem('contracts.sent_again');
  tx.append(signatureRequest, id, decideRestore(state, tx.now));
  return { id };
});
