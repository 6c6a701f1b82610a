import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { latestMonth, monthAfter } from '../../platform/months.js';
import { shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { searchable } from '../../platform/searchable.api.js';
import { accessOf, hasOpenInvite, setAccess } from '../accounts/access-merge.commands.js';
import { type Access, studentAccess } from '../accounts/student-access.js';
import { comingOf } from '../agenda/sessions-bulk.commands.js';
import { pausedUntil, studentPause } from '../away/student-pause.js';
import { studentCalendar } from '../calendar-links/student-calendar.js';
import { charge, dueOf } from '../charges/charge.js';
import { decideEnd, monthlyPlan } from '../charges/monthly-plan.js';
import { balance, creditAccount, type Lot } from '../credits/credit-account.js';
import { keepSwitchedOff } from '../letters/letters.commands.js';
import { plan } from '../plans/plan.js';
import { publicLink } from '../public-link/public-link.js';
import { session } from '../sessions/session.js';
import { sessionRequest } from '../student-area/session-request.js';
import { activeStudent, existingStudent, type ExistingStudent, student } from '../students/student.js';
import { MAX_TAGS } from '../students/students.api.js';
import { toldContact, type ToldContactState } from '../told-contacts/told-contact.js';
import {
  type Belonging,
  belongingsOf,
  bookedSince,
  changedSinceMerge,
  idsOf,
  reassignedIn,
  streamOf,
} from './belongings.loads.js';
import { decideEmpty, decideFill, type KnownMerge, studentMerge } from './merge.js';
import type { StudentsToMerge } from './merging.api.js';

/** Two records that are to be one, with all that the second one has. */
export interface Pair {
  fica: ExistingStudent;
  sai: ExistingStudent;
  things: Belonging[];
  lotes: Lot[];
  acessos: { fica: Access; sai: Access };
  /** Why they cannot be merged, in sentences. */
  impedimentos: string[];
}

/** @throws Problem 422 for the same student twice, 404 for one that is missing, 409 for one that is forgotten or was merged itself, or if the first is inactive */
export async function loadPair(tx: CommandTransaction, ficaId: string, saiId: string): Promise<Pair> {
  const [one, other, { things, isWaiting }, { lots }] = await Promise.all([
    tx.load(student, ficaId),
    tx.load(student, saiId),
    belongingsOf(tx, saiId),
    tx.load(creditAccount, saiId),
  ]);
  const pair = { fica: activeStudent(one), sai: existingStudent(other), things, lotes: lots };
  if (ficaId === saiId)
    throw new Problem('merging.same_student', {
      errors: [{ pointer: '/com', detail: 'Escolha outro aluno' }],
    });
  const acessos = { fica: await accessOf(tx, ficaId), sai: await accessOf(tx, saiId) };
  const impedimentos = await obstaclesOf(tx, { ...pair, acessos }, isWaiting);
  return { ...pair, acessos, impedimentos };
}

/** Hours that an obstacle names. */
const MOST_NAMED = 3;
const MOST_NOTES = 2000;

async function obstaclesOf(
  tx: CommandTransaction,
  { fica, sai, acessos }: Omit<Pair, 'impedimentos'>,
  isWaiting: boolean,
): Promise<string[]> {
  const { now } = tx;
  const { tenantId, timezone } = tx.context;
  const today = dateOf(now, timezone);
  const isSameName = searchable(fica.nome!) === searchable(sai.nome!);
  const este = isSameName ? 'Este cadastro' : fica.nome!;
  const outro = isSameName ? 'O outro cadastro' : sai.nome!;
  const ambos = isSameName ? 'Os dois cadastros' : `${este} e ${outro}`;
  const found: string[] = [];

  const [coming, own, agreed, agreedOwn, link, told] = await Promise.all([
    comingOf(tx, sai.student_id),
    comingOf(tx, fica.student_id),
    tx.load(monthlyPlan, sai.student_id),
    tx.load(monthlyPlan, fica.student_id),
    tx.load(publicLink, tenantId),
    tx.load(toldContact, sai.student_id),
  ]);
  const shared = coming.filter(({ inicio, fim }) =>
    own.some((mine) => mine.inicio < fim && mine.fim > inicio),
  );
  if (shared.length > 0) {
    const hours = shared.slice(0, MOST_NAMED).map(({ inicio }) => weekdayAndTime(inicio, timezone));
    const more = shared.length > MOST_NAMED ? ` e mais ${shared.length - MOST_NAMED}` : '';
    found.push(`${ambos} têm sessão no mesmo horário (${hours.join('; ')}${more}): desmarque uma das duas.`);
  }
  const requests = await Promise.all(coming.map(({ session_id }) => tx.load(sessionRequest, session_id)));
  const asked = coming.find(
    ({ student_id, inicio }, at) =>
      requests[at]!.aberto?.student_id === student_id && requests[at]!.aberto?.inicio === inicio,
  );
  if (asked)
    found.push(
      `${outro} tem um pedido sobre a sessão de ${weekdayAndTime(asked.inicio, timezone)}: responda antes.`,
    );
  if (agreed?.ativo && agreedOwn?.ativo) found.push(`${ambos} têm mensalidade: encerre uma das duas antes.`);
  for (const [who, words] of [
    [sai, outro],
    [fica, este],
  ] as const) {
    const until = pausedUntil(await tx.load(studentPause, who.student_id), today);
    if (until !== null) found.push(`${words} está em pausa até ${shortDate(until)}: encerre a pausa antes.`);
    if (link.bloqueados.includes(who.student_id))
      found.push(`${words} está bloqueado no link público: desbloqueie antes.`);
  }
  if (isWaiting) found.push(`${outro} está na lista de espera: tire da lista antes.`);
  for (const words of openOf(told)) found.push(`${outro} informou ${words}: responda antes.`);
  const {
    fica: { user_id: mine },
    sai: { user_id: theirs },
  } = acessos;
  if (mine !== null && theirs !== null && mine !== theirs)
    found.push(`${ambos} têm login, cada um o seu: encerre o acesso de um dos dois antes.`);
  if (await hasOpenInvite(tx, sai.student_id))
    found.push(`${outro} tem um convite pendente: cancele o convite antes.`);
  if (theirs !== null && mine === null && (await hasOpenInvite(tx, fica.student_id)))
    found.push(`${este} tem um convite pendente, e ${outro} já tem login: cancele o convite antes.`);
  const { filled, events } = decideFill(fica, sai, null);
  if (
    filled.observacoes_juntas &&
    events.some(({ data }) => 'observacoes' in data && data.observacoes!.length > MOST_NOTES)
  )
    found.push('As observações dos dois cadastros juntas não cabem: encurte uma delas antes.');
  if (fica.etiquetas.length + filled.etiquetas.length > MAX_TAGS)
    found.push(`Os dois cadastros juntos têm mais de ${MAX_TAGS} etiquetas: remova algumas antes.`);
  return found;
}

/** What the trainer is still asked about, in words. */
const openOf = ({ whatsapp, nome }: ToldContactState): string[] => [
  ...(whatsapp?.aberto ? ['outro WhatsApp'] : []),
  ...(nome?.aberto ? ['outro nome'] : []),
];

const allLots = defineLookUp<{ lot_id: string }, [studentId: string]>(
  'select lot_id from credit_lots where tenant_id = $1 and student_id = $2 order by lot_id',
);

/** All that is the second record's passes to the first; both are one student from then on. */
export const MergeStudents = defineCommand(
  'MergeStudents',
  { hints: HintBus },
  async (tx, { hints }, ficaId: string, { com }: StudentsToMerge) => {
    const juncao_id = randomUUID();
    await merge(tx, juncao_id, await loadPair(tx, ficaId, com), hints);
    return { id: juncao_id };
  },
);

/** Records it, in the caller's transaction. @throws Problem 409 that says what stands in the way */
export async function merge(
  tx: CommandTransaction,
  juncao_id: string,
  { fica, sai, things, lotes, acessos, impedimentos }: Pair,
  hints: HintBus,
): Promise<void> {
  if (impedimentos.length > 0) throw new Problem('merging.in_the_way', { detail: impedimentos.join(' ') });
  const [ficaId, saiId] = [fica.student_id, sai.student_id];
  const about = { juncao_id, desfaz: false };
  const summary = await summaryOf(tx, things, lotes);
  for (const { kind, id } of things) await kind.reassign(tx, id, { student_id: ficaId, de: saiId, ...about });
  const todos = await lotsOf(tx, saiId);
  await moveLots(tx, { de: saiId, para: ficaId }, { lotes, todos }, about);

  const [antes, own] = await Promise.all([tx.load(monthlyPlan, saiId), tx.load(monthlyPlan, ficaId)]);
  const mensalidade = antes?.ativo ? agreementOf(antes, own, ficaId) : null;
  if (mensalidade) {
    tx.append(monthlyPlan, saiId, decideEnd(antes));
    tx.append(monthlyPlan, ficaId, [{ type: 'MonthlyPlanSet', data: mensalidade.depois }]);
  }
  const planId = mensalidade?.depois.plano_id ?? fica.plano_id ?? sai.plano_id;
  const exists = planId !== null && (await tx.load(plan, planId)).status === 'existing';
  const { events, filled } = decideFill(fica, sai, exists ? planId : fica.plano_id);
  tx.append(student, ficaId, events);

  const hasAccess = Object.values(acessos.sai).some((one) => one !== null);
  if (hasAccess) {
    const none: Access = { user_id: null, area: null, calendario: null };
    await setAccess(
      tx,
      new Map([
        [saiId, none],
        [ficaId, joined(acessos)],
      ]),
      about,
      hints,
    );
  }
  keepSwitchedOff(tx, saiId, ficaId);
  tx.append(student, saiId, [{ type: 'StudentMerged', data: { student_id: saiId, em: ficaId, juncao_id } }]);
  const data = {
    ...{ juncao_id, fica: ficaId, sai: saiId, nome: sai.nome, inativo: sai.status === 'archived' },
    ...{ ...filled, ...summary, mensalidade, lotes, todos, acessos: hasAccess ? acessos : null },
  };
  // Last: what stands after it in the log has come since.
  tx.append(studentMerge, juncao_id, [{ type: 'StudentsMerged', data }]);
}

async function summaryOf(tx: CommandTransaction, things: readonly Belonging[], lots: Lot[]) {
  const charges = await Promise.all(idsOf(things, charge).map((id) => tx.load(charge, id)));
  return {
    sessoes: idsOf(things, session).length,
    creditos: balance({ lots }, tx.now),
    em_aberto: charges.reduce((sum, one) => sum + (one && !one.cancelada ? dueOf(one) : 0), 0),
  };
}

/** The access of both, as one: an account takes the place of a link. */
export function joined({ fica, sai }: { fica: Access; sai: Access }): Access {
  const user_id = fica.user_id ?? sai.user_id;
  return {
    user_id,
    area: user_id === null ? (fica.area ?? sai.area) : null,
    calendario: fica.calendario ?? sai.calendario,
  };
}

type Agreed = NonNullable<Awaited<ReturnType<typeof agreementFor>>>;
const agreementFor = (tx: CommandTransaction, id: string) => tx.load(monthlyPlan, id);

/** No month is billed twice. */
function agreementOf(
  { ativo: _, ultimo_mes: _last, ...antes }: Agreed,
  own: Agreed | undefined,
  student_id: string,
) {
  const primeiro_mes = latestMonth(
    antes.primeiro_mes,
    ...(own?.ultimo_mes ? [monthAfter(own.ultimo_mes)] : []),
  );
  return { antes, depois: { ...antes, student_id, primeiro_mes } };
}

const lotsOf = async (tx: CommandTransaction, studentId: string) =>
  (await tx.lookUp(allLots, studentId)).map(({ lot_id }) => lot_id);

async function moveLots(
  tx: CommandTransaction,
  { de, para }: { de: string; para: string },
  { lotes, todos }: { lotes: Lot[]; todos: string[] },
  about: { juncao_id: string; desfaz: boolean },
): Promise<void> {
  if (todos.length === 0) return;
  await Promise.all([tx.load(creditAccount, de), tx.load(creditAccount, para)]);
  tx.append(creditAccount, de, [
    { type: 'CreditsHandedOver', data: { student_id: de, para, todos, ...about } },
  ]);
  tx.append(creditAccount, para, [
    { type: 'CreditsTakenOver', data: { student_id: para, de, lotes, todos, ...about } },
  ]);
}

/** Both are again as they were; what was recorded for the student who stays since then stays with that one. */
export const UndoMerge = defineCommand('UndoMerge', { hints: HintBus }, async (tx, { hints }, id: string) => {
  const made = await tx.load(studentMerge, id);
  if (!made) throw new Problem('merging.not_found');
  if (made.desfeita) throw new Problem('merging.undone');
  const [one, other] = await Promise.all([tx.load(student, made.fica), tx.load(student, made.sai)]);
  const fica = existingStudent(one);
  const sai = other as ExistingStudent;
  await unmerge(tx, made, { fica, sai }, hints);
  return { id: made.sai };
});

async function unmerge(
  tx: CommandTransaction,
  made: KnownMerge,
  { fica, sai }: { fica: ExistingStudent; sai: ExistingStudent },
  hints: HintBus,
): Promise<void> {
  const { juncao_id, fica: ficaId, sai: saiId, lotes, mensalidade, acessos } = made;
  const about = { juncao_id, desfaz: true };
  const before = await reassignedIn(tx, juncao_id);
  const things = [...before, ...(await bookedSince(tx, before, ficaId))];
  const changed = await changedSinceMerge(tx, juncao_id, things.map(streamOf));
  const refuse = (why: string) => new Problem('merging.cannot_undo', { detail: `${why} Nada foi alterado.` });
  const first = things.find((thing) => changed.has(streamOf(thing)));
  if (first) throw refuse(`Depois da junção, ${await described(tx, first)} mudou.`);
  if (acessos && (await hasOtherAccess(tx, ficaId, joined(acessos))))
    throw refuse('Depois da junção, o acesso do aluno mudou: login ou links.');
  // Else it would be asked about the one who stays: it is of the account that goes back.
  const [told] =
    acessos?.sai.user_id && !acessos.fica.user_id ? openOf(await tx.load(toldContact, ficaId)) : [];
  if (told) throw refuse(`Depois da junção, o aluno informou ${told}: responda antes.`);
  const account = await tx.load(creditAccount, ficaId);
  const now = new Map(account.lots.map((lot) => [lot.lot_id, lot]));
  if (lotes.some((lot) => !isSame(lot, now.get(lot.lot_id))))
    throw refuse('Depois da junção, créditos que vieram do outro cadastro foram usados ou mudaram.');
  const agreed = await tx.load(monthlyPlan, ficaId);
  if (mensalidade) {
    const { ativo, ultimo_mes: _, ...terms } = agreed!;
    if (!ativo || !isSame(terms, mensalidade.depois))
      throw refuse('Depois da junção, a mensalidade foi cobrada, alterada ou encerrada.');
  }

  for (const { kind, id } of things) await kind.reassign(tx, id, { student_id: saiId, de: ficaId, ...about });
  await moveLots(tx, { de: ficaId, para: saiId }, made, about);
  if (mensalidade) {
    tx.append(monthlyPlan, ficaId, decideEnd(agreed));
    await tx.load(monthlyPlan, saiId);
    tx.append(monthlyPlan, saiId, [{ type: 'MonthlyPlanSet', data: mensalidade.antes }]);
  }
  tx.append(student, ficaId, decideEmpty(fica, sai, made));
  const formerPlan = sai.plano_id === null ? undefined : await tx.load(plan, sai.plano_id);
  const plano_id = formerPlan?.status === 'existing' ? sai.plano_id : null;
  tx.append(student, saiId, [
    { type: 'StudentUnmerged', data: { student_id: saiId, juncao_id, plano_id, inativo: made.inativo } },
  ]);
  if (acessos)
    await setAccess(
      tx,
      new Map([
        [ficaId, acessos.fica],
        [saiId, acessos.sai],
      ]),
      about,
      hints,
    );
  tx.append(studentMerge, juncao_id, [
    { type: 'StudentsUnmerged', data: { juncao_id, fica: ficaId, sai: saiId } },
  ]);
}

/** Whether somebody has got in or out by another account or link than this. A link that has expired meanwhile is the same. */
async function hasOtherAccess(tx: CommandTransaction, studentId: string, left: Access): Promise<boolean> {
  const [{ user_id, area }, { current }] = await Promise.all([
    tx.load(studentAccess, studentId),
    tx.load(studentCalendar, studentId),
  ]);
  return (
    user_id !== left.user_id ||
    area?.link_id !== left.area?.link_id ||
    current?.feed_id !== left.calendario?.feed_id
  );
}

/** By what is stored: a state that was folded from a snapshot leaves out what is undefined. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), other && JSON.parse(JSON.stringify(other)));

/** `a sessão de qui., 26 de nov., 7:00` */
async function described(tx: CommandTransaction, { kind, id }: Belonging): Promise<string> {
  if (kind.aggregate.name !== session.name) return kind.words;
  return `a sessão de ${weekdayAndTime((await tx.load(session, id))!.inicio, tx.context.timezone)}`;
}
