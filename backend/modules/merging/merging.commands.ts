import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { latestMonth } from '../../platform/local-time.js';
import { weekdayAndTime } from '../../platform/portuguese.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { setAccess } from '../accounts/access-merge.commands.js';
import { type Access, studentAccess } from '../accounts/student-access.js';
import { studentCalendar } from '../calendar-links/student-calendar.js';
import { charge, dueOf } from '../charges/charge.js';
import { decideEnd, monthlyPlan, type MonthlyPlanState } from '../charges/monthly-plan.js';
import { balance, creditAccount, type Lot } from '../credits/credit-account.js';
import { creditSharing, sharingSet } from '../credits/credit-sharing.js';
import { sharersOf } from '../credits/credit-sharing.loads.js';
import { keepSwitchedOff } from '../letters/letters.commands.js';
import { decideChoose, studentPayer } from '../payers/student-payer.js';
import { plan } from '../plans/plan.js';
import { session } from '../sessions/session.js';
import { existingStudent, type ExistingStudent, student } from '../students/student.js';
import { toldContact } from '../told-contacts/told-contact.js';
import {
  type Belonging,
  bookedSince,
  changedSinceMerge,
  idsOf,
  reassignedIn,
  streamOf,
} from './belongings.loads.js';
import { decideEmpty, decideFill, type KnownMerge, studentMerge } from './merge.js';
import type { StudentsToMerge } from './merging.api.js';
import { openOf, ownersOf, type Pair, loadPair } from './pair.loads.js';

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
    // The one that was billed the longest: no month is billed twice.
    const { ultimo_mes, seguinte } = (own?.seguinte ?? '') > (antes?.seguinte ?? '') ? own! : antes!;
    const cobrado = { ultimo_mes, seguinte };
    tx.append(monthlyPlan, ficaId, [{ type: 'MonthlyPlanSet', data: { ...mensalidade.depois, cobrado } }]);
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
  const [payer, ownPayer] = await Promise.all([tx.load(studentPayer, saiId), tx.load(studentPayer, ficaId)]);
  if (ownPayer.payer_id === null)
    tx.append(studentPayer, ficaId, decideChoose(ownPayer, ficaId, { payer_id: payer.payer_id }, juncao_id));
  await shareAsOne(tx, saiId, ficaId, juncao_id);
  keepSwitchedOff(tx, saiId, ficaId);
  tx.append(student, saiId, [{ type: 'StudentMerged', data: { student_id: saiId, em: ficaId, juncao_id } }]);
  const data = {
    juncao_id,
    fica: ficaId,
    sai: saiId,
    nome: sai.nome,
    inativo: sai.status === 'archived',
    ...filled,
    ...summary,
    mensalidade,
    lotes,
    todos,
    acessos: hasAccess ? acessos : null,
  };
  // Last: what stands after it in the log has come since.
  tx.append(studentMerge, juncao_id, [{ type: 'StudentsMerged', data }]);
}

/** Who uses the credits of the second record uses those of the first, which uses whose credits the second one has used. */
async function shareAsOne(
  tx: CommandTransaction,
  saiId: string,
  ficaId: string,
  juncao_id: string,
): Promise<void> {
  const [sai, fica, alunos] = await Promise.all([
    tx.load(creditSharing, saiId),
    tx.load(creditSharing, ficaId),
    sharersOf(tx, saiId),
  ]);
  const [dono_id = null] = ownersOf([fica, sai], [ficaId, saiId]);
  tx.append(creditSharing, ficaId, sharingSet(fica, ficaId, dono_id, juncao_id, sai.contas));
  for (const id of alunos.filter((one) => one !== ficaId))
    tx.append(creditSharing, id, sharingSet(await tx.load(creditSharing, id), id, ficaId, juncao_id));
}

/** What a merging has set is as it was before, unless it was changed since, or somebody else has come to use these credits. */
async function shareAsBefore(tx: CommandTransaction, { fica, juncao_id }: KnownMerge): Promise<void> {
  const sharers = await sharersOf(tx, fica);
  const states = await Promise.all([fica, ...sharers].map((id) => tx.load(creditSharing, id)));
  const [own, ...others] = states;
  const isShared = others.some((one) => one.juncao_id !== juncao_id);
  for (const [at, state] of states.entries()) {
    const id = [fica, ...sharers][at]!;
    if (state.juncao_id === juncao_id && !(state === own && isShared))
      tx.append(creditSharing, id, sharingSet(state, id, state.antes));
  }
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

/** No month is billed twice. */
function agreementOf(
  { ativo: _, ultimo_mes: _last, seguinte: _next, ...antes }: NonNullable<MonthlyPlanState>,
  own: MonthlyPlanState,
  student_id: string,
) {
  const primeiro_mes = latestMonth(antes.primeiro_mes, ...(own?.seguinte ? [own.seguinte] : []));
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
    const { ativo, ultimo_mes: _last, seguinte: _next, ...terms } = agreed!;
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
  const payer = await tx.load(studentPayer, ficaId);
  // One who was chosen since stays; the other record has kept its own.
  if (payer.juncao_id === juncao_id)
    tx.append(studentPayer, ficaId, decideChoose(payer, ficaId, { payer_id: null }));
  await shareAsBefore(tx, made);
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
