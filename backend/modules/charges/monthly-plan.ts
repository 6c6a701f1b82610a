import { type Aggregate, changedSince } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { latestMonth, monthAfter, monthReached } from '../../platform/local-time.js';
import type { ExistingPlan } from '../plans/plan.js';
import { upcasters } from './upcasters.js';
import type { BroughtStart, MonthlyChange, MonthlyTerms } from '../plans/monthly-terms.api.js';

/** What was agreed with a student; `primeiro_mes` (its first day) is the first that is billed from then on. */
interface Agreed extends MonthlyTerms {
  student_id: string;
  primeiro_mes: string;
}

/** The last month that was billed, and the first one after its period. */
interface Billed {
  ultimo_mes: string | null;
  seguinte: string | null;
}

export type MonthlyPlanEvent =
  /** `cobrado`: of one that comes with a merging, what was billed to the other record. */
  | { type: 'MonthlyPlanSet'; data: Agreed & { cobrado?: Billed } }
  | { type: 'MonthlyPlanEnded'; data: { student_id: string } }
  /**
   * A period that begins with this month was billed, or the month was skipped because the student is inactive or paused (`pausado`).
   * `proximo_mes`: the next one to be billed.
   */
  | {
      type: 'MonthlyPlanBilled';
      data: {
        student_id: string;
        mes: string;
        charge_id: string | null;
        pausado?: true;
        proximo_mes: string;
      };
    };

export type MonthlyPlanState = (Agreed & Billed & { ativo: boolean }) | undefined;

/** A student's monthly plan; the stream's id is the student's. */
export const monthlyPlan: Aggregate<MonthlyPlanState, MonthlyPlanEvent> = {
  name: 'monthly-plan',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'MonthlyPlanSet': {
        const { cobrado = state ?? { ultimo_mes: null, seguinte: null }, ...agreed } = data;
        const { ultimo_mes, seguinte } = cobrado;
        return { ...agreed, ativo: true, ultimo_mes, seguinte };
      }
      case 'MonthlyPlanEnded':
        return state && { ...state, ativo: false };
      case 'MonthlyPlanBilled':
        return (
          state && {
            ...state,
            primeiro_mes: data.proximo_mes,
            ultimo_mes: data.mes,
            seguinte: data.proximo_mes,
          }
        );
    }
  },
  events: {
    // An agreement alone is no history: once a month is billed, its charge uses the student and the plan.
    MonthlyPlanSet: { schemaVersion: 1, usesNow: ({ plano_id }) => ({ plan: plano_id, student: undefined }) },
    MonthlyPlanEnded: { schemaVersion: 1, usesNow: () => ({ plan: null, student: undefined }) },
    MonthlyPlanBilled: {
      schemaVersion: 2,
      uses: 'nothing new',
      upcasters: upcasters.MonthlyPlanBilled,
    },
  },
};

/** The first day of the last month whose billing hour has come, day 1 at 6:00 in the zone. */
export const billedMonth = (now: Date, timezone: string): string => monthReached(now, timezone, 1);

/**
 * Changes apply from the next cycle on; overdue months are billed first, by the former agreement (`billLate`). A billed month
 * is never billed again, even if the clock was set back.
 */
export function decideSet(
  state: MonthlyPlanState,
  student_id: string,
  { se_ainda, proporcional: _share, ...terms }: MonthlyChange,
  { now, timezone }: { now: Date; timezone: string },
): MonthlyPlanEvent[] {
  const begun = terms.desde.endsWith('-01') ? terms.desde : monthAfter(`${terms.desde.slice(0, 7)}-01`);
  const primeiro_mes = latestMonth(
    begun,
    monthAfter(billedMonth(now, timezone)),
    ...coveredBy(state, terms.desde),
  );
  if (isAgreed(state, terms)) return [];
  if (se_ainda === null && state?.ativo) throw changedSince('A mensalidade');
  return [{ type: 'MonthlyPlanSet', data: { student_id, ...terms, primeiro_mes } }];
}

/** The first month after those that were billed. A new agreement after one that ended may begin within its last period. */
function coveredBy(state: MonthlyPlanState, desde: string): string[] {
  if (!state?.ultimo_mes || !state.seguinte) return [];
  return [state.ativo || state.desde === desde ? state.seguinte : monthAfter(state.ultimo_mes)];
}

const isAgreed = (state: MonthlyPlanState, terms: MonthlyTerms): boolean =>
  state?.ativo === true &&
  (['plano_id', 'valor', 'desde', 'ate', 'vence_dia'] as const).every(
    (field) => state[field] === terms[field],
  );

/** A student's plan before and after a change, and the agreement that comes with it. */
export interface PlanChange {
  student_id: string;
  de: string | null;
  para: Pick<ExistingPlan, 'plan_id' | 'tipo' | 'valor'> | undefined;
  mensalidade: BroughtStart | null | undefined;
  /** For undos: the plan and the agreement that the undone change has set, null: it has ended one. */
  se_ainda?:
    | { plano_id?: string | null | undefined; mensalidade?: BroughtStart | null | undefined }
    | undefined;
}

/**
 * The agreement follows the student's plan: a monthly one comes with its agreement, and leaving its plan ends it. An undo gives back
 * the agreement that it names, or leaves it as it is.
 */
export function decideFollow(
  state: MonthlyPlanState,
  { student_id, de, para, mensalidade, se_ainda }: PlanChange,
  at: { now: Date; timezone: string },
): MonthlyPlanEvent[] {
  const set = (terms: BroughtStart, plano_id: string | undefined) => {
    if (plano_id === undefined) throw new Problem('charges.not_monthly');
    return decideSet(state, student_id, { ...terms, plano_id }, at);
  };
  const end = () => (state?.ativo ? decideEnd(state) : []);
  if (se_ainda) {
    const { mensalidade: seen, plano_id } = se_ainda;
    const known = seen && { ...seen, plano_id: seen.plano_id ?? plano_id ?? '' };
    if (known ? !isAgreed(state, known) : seen === null && state?.ativo) throw changedSince('A mensalidade');
    if (mensalidade === undefined) return [];
    // What it undoes is not named, so it may be anything.
    if (seen === undefined) throw changedSince('A mensalidade');
    return mensalidade ? set(mensalidade, mensalidade.plano_id ?? para?.plan_id) : end();
  }
  const isMonthly = para !== undefined && para.tipo !== 'pacote';
  if (mensalidade) {
    const isFor = isMonthly && (mensalidade.plano_id ?? para.plan_id) === para.plan_id;
    return set(mensalidade, isFor ? para.plan_id : undefined);
  }
  if (mensalidade === undefined && state?.ativo && state.plano_id === para?.plan_id) return [];
  // A free plan has nothing to bill.
  if (isMonthly && para.valor > 0) {
    const detail = 'Informe o início e o vencimento da mensalidade';
    throw new Problem('charges.no_terms', { errors: [{ pointer: '/mensalidade', detail }] });
  }
  return state?.plano_id === de ? end() : [];
}

export function decideEnd(state: MonthlyPlanState): MonthlyPlanEvent[] {
  if (!state) throw new Problem('charges.no_monthly_plan');
  return state.ativo ? [{ type: 'MonthlyPlanEnded', data: { student_id: state.student_id } }] : [];
}

/**
 * The month in which an agreement begins, where nothing is billed for it, because it begins after that month's billing; null where
 * the month is over.
 */
export function unbilledMonth(state: MonthlyPlanState, today: string): string | null {
  if (!state?.ativo) return null;
  const mes = `${state.desde.slice(0, 7)}-01`;
  const isFree = state.seguinte === null || state.seguinte <= mes;
  const isLeftOut = state.primeiro_mes === monthAfter(mes) && isFree;
  return isLeftOut && mes.slice(0, 7) >= today.slice(0, 7) ? mes : null;
}

/** Whether this month is the one to bill. */
export function isDue(state: MonthlyPlanState, mes: string): state is NonNullable<MonthlyPlanState> {
  return state !== undefined && state.ativo && state.primeiro_mes === mes && (!state.ate || state.ate >= mes);
}
