import { addDays } from 'date-fns';
import { namedId } from '../../platform/derived-id.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf, dayOfMonth, monthAfter } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { existingPlan, offeredPlan, plan } from '../plans/plan.js';
import { periodOf, periods } from '../plans/plans.api.js';
import { isPausedOn, studentPause } from '../away/student-pause.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { freshLink } from './charges.commands.js';
import type { ChargeLink } from './charge.js';
import { DAYS_TO_PAY } from './charges.api.js';
import { issue } from './charge-terms.commands.js';
import {
  billedMonth,
  decideEnd,
  decideFollow,
  decideSet,
  isDue,
  monthlyPlan,
  type MonthlyPlanEvent,
  type MonthlyPlanState,
  type PlanChange,
  unbilledMonth,
} from './monthly-plan.js';
import { firstMonthOf, type MonthlyChange } from '../plans/monthly-terms.api.js';
import { boughtBy } from './plan-grants.loads.js';

export const SetMonthlyPlan = defineCommand(
  'SetMonthlyPlan',
  { tokens: LinkTokens },
  async (tx, { tokens }, studentId: string, terms: MonthlyChange) => {
    const [who, what] = await Promise.all([tx.load(student, studentId), tx.load(plan, terms.plano_id)]);
    const { plano_id } = activeStudent(who);
    const { timezone } = tx.context;
    const state = await billLate(tx, studentId, () => freshLink(tokens));
    // A plan that is no longer offered continues for students who have it.
    const isTheirs = [state?.plano_id, plano_id].includes(terms.plano_id);
    const its = isTheirs ? existingPlan(what) : offeredPlan(what);
    if (periodOf(its.tipo) === null) throw new Problem('charges.not_monthly');
    tx.append(monthlyPlan, studentId, decideSet(state, studentId, terms, { now: tx.now, timezone }));
    await billFirstMonth(tx, studentId, terms.proporcional, () => freshLink(tokens));
    return { id: studentId };
  },
);

export const EndMonthlyPlan = defineCommand(
  'EndMonthlyPlan',
  { tokens: LinkTokens },
  async (tx, { tokens }, studentId: string) => {
    existingStudent(await tx.load(student, studentId));
    tx.append(monthlyPlan, studentId, decideEnd(await billLate(tx, studentId, () => freshLink(tokens))));
    return { id: studentId };
  },
);

/** The agreement follows a change of the student's plan. */
export async function followPlan(
  tx: CommandTransaction,
  change: PlanChange,
  freshLink: () => ChargeLink,
): Promise<void> {
  const { student_id, mensalidade } = change;
  if (mensalidade?.plano_id) {
    const its = existingPlan(await tx.load(plan, mensalidade.plano_id));
    if (periodOf(its.tipo) === null) throw new Problem('charges.not_monthly');
  }
  const state = await billLate(tx, student_id, freshLink);
  const { timezone } = tx.context;
  tx.append(monthlyPlan, student_id, decideFollow(state, change, { now: tx.now, timezone }));
  await billFirstMonth(tx, student_id, mensalidade?.proporcional, freshLink);
}

/** Charges the share of the month in which the agreement begins. `shown`: in cents, as it was announced; undefined: not asked for. */
async function billFirstMonth(
  tx: CommandTransaction,
  studentId: string,
  shown: number | undefined,
  freshLink: () => ChargeLink,
): Promise<void> {
  if (shown === undefined) return;
  const state = await tx.load(monthlyPlan, studentId);
  const today = dateOf(tx.now, tx.context.timezone);
  const mes = unbilledMonth(state, today);
  if (!state || mes === null) throw new Problem('charges.first_month_changed');
  const { plano_id, desde } = state;
  const its = existingPlan(await tx.load(plan, plano_id));
  const { meses } = periodOf(its.tipo) ?? periods.mensal;
  const { creditos } = its;
  const part = firstMonthOf({ valor: state.valor, creditos, meses }, desde);
  if (part.valor !== shown || shown === 0) throw new Problem('charges.first_month_changed');
  const charge_id = namedId(`${studentId} ${mes}`);
  const soonest = dateOf(addDays(tx.now, DAYS_TO_PAY), tx.context.timezone);
  await issue(tx, {
    charge_id,
    student_id: studentId,
    origem: 'mensalidade',
    plano_id,
    session_id: null,
    mes,
    descricao: `${its.nome ?? 'Mensalidade'}, ${shortDate(desde).slice(0, 5)} a ${shortDate(part.ate)}`,
    valor: part.valor,
    vencimento: soonest > desde ? soonest : desde,
    creditos: part.creditos,
    validade_dias: its.validade_dias,
    ...freshLink(),
  });
  const data = { student_id: studentId, mes, charge_id, proximo_mes: monthAfter(mes) };
  tx.append(monthlyPlan, studentId, [{ type: 'MonthlyPlanBilled', data }]);
}

/** Bills the overdue months first, so that a new agreement or pause does not apply to them. */
export async function billLate(
  tx: CommandTransaction,
  studentId: string,
  freshLink: () => ChargeLink,
): Promise<MonthlyPlanState> {
  const state = await tx.load(monthlyPlan, studentId);
  if (!state?.ativo) return state;
  const last = billedMonth(tx.now, tx.context.timezone);
  for (let mes = state.primeiro_mes; mes <= last; mes = monthAfter(mes))
    await bill(tx, studentId, mes, freshLink());
  return tx.load(monthlyPlan, studentId);
}

/** What the period that begins with a month costs, when the month has come. */
export const BillMonth = defineCommand(
  'BillMonth',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, mes: string) => {
    await bill(tx, id, mes, freshLink(tokens));
    return { id };
  },
);

/** Issues the charge of the period that begins with a month, once: afterwards the month is no longer due. Skips the month if the student is inactive, or paused on its first day. */
async function bill(tx: CommandTransaction, studentId: string, mes: string, link: ChargeLink): Promise<void> {
  const [who, state] = await Promise.all([tx.load(student, studentId), tx.load(monthlyPlan, studentId)]);
  if (!isDue(state, mes)) return;
  if (who.status === 'removed') return tx.append(monthlyPlan, studentId, decideEnd(state));
  const its = existingPlan(await tx.load(plan, state.plano_id));
  const { meses } = periodOf(its.tipo) ?? periods.mensal;
  const isActive = who.status === 'active' && who.nome !== null;
  const isPaused = isActive && isPausedOn(await tx.load(studentPause, studentId), mes);
  const charge_id = isActive && !isPaused ? namedId(`${studentId} ${mes}`) : null;
  if (charge_id !== null) {
    const { plano_id, valor, vence_dia } = state;
    await issue(tx, {
      charge_id,
      student_id: studentId,
      origem: 'mensalidade',
      plano_id,
      session_id: null,
      mes,
      valor,
      descricao: `${its.nome ?? 'Mensalidade'}, ${periodInWords(mes, meses)}`,
      vencimento: dayOfMonth(mes, vence_dia),
      ...(await boughtBy(tx, studentId, plano_id)),
      ...link,
    });
  }
  const billed: MonthlyPlanEvent = {
    type: 'MonthlyPlanBilled',
    data: {
      student_id: studentId,
      mes,
      charge_id,
      ...(isPaused && { pausado: true }),
      proximo_mes: monthAfter(mes, charge_id === null ? 1 : meses),
    },
  };
  tx.append(monthlyPlan, studentId, [billed]);
}

/** `11/2026`, or `11/2026 a 01/2027`. */
function periodInWords(mes: string, meses: number): string {
  const words = (first: string) => `${first.slice(5, 7)}/${first.slice(0, 4)}`;
  return meses === 1 ? words(mes) : `${words(mes)} a ${words(monthAfter(mes, meses - 1))}`;
}
