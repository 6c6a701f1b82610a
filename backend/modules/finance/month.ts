import { TZDate } from '@date-fns/tz';
import { addMonths, differenceInCalendarDays, endOfMonth, format, parseISO } from 'date-fns';
import { allocate, type Shares } from './allocation.js';
import type { AllocationKind, MonthSummary } from './finance.api.js';

/** Totals of a month; amounts in cents. */
export interface MonthTotals extends Record<AllocationKind, number> {
  /** Number of entries minus reversals. */
  lancamentos: number;
  receitas: number;
  recebido: number;
  despesas: number;
}

const nothing: MonthTotals = {
  lancamentos: 0,
  receitas: 0,
  recebido: 0,
  despesas: 0,
  imposto: 0,
  reserva: 0,
  operacional: 0,
  retirada: 0,
};

/** The trainer's goals, in cents. */
export interface Goals {
  meta: number;
  meta_reserva: number;
}

/** Cents; defaults where no goal was set (spec 2, section 9). */
export const DEFAULT_GOAL = 1_000_000;

/** Month of an instant in a zone, such as `2026-11`. */
export function monthOf(at: Date, timezone: string): string {
  return format(new TZDate(at, timezone), 'yyyy-MM');
}

/** The previous month: `2025-12` for `2026-01`. */
export function monthBefore(mes: string): string {
  return format(addMonths(parseISO(`${mes}-01`), -1), 'yyyy-MM');
}

/** `2026-11-30` */
export const lastDayOf = (mes: string): string => format(endOfMonth(parseISO(`${mes}-01`)), 'yyyy-MM-dd');

/** What the month's own entries do not say. */
interface MonthFacts extends Pick<MonthSummary, 'sem_cobranca' | 'previsto' | 'ainda_entra' | 'vencido'> {
  goals: Goals;
  shares: Shares;
  today: string;
}

/** `previous` is undefined if nothing was recorded in the previous month. */
export function summarize(
  mes: string,
  totals: MonthTotals = nothing,
  previous: MonthTotals | undefined,
  { sem_cobranca, previsto, ainda_entra, vencido, goals, shares, today }: MonthFacts,
): Omit<MonthSummary, 'entrega'> {
  const current = indicators(totals, goals);
  // What has come in of a month that is still to come says nothing beside a whole one.
  const before = previous && mes <= today.slice(0, 7) ? indicators(previous, goals) : undefined;
  const { imposto, reserva, operacional, retirada } = totals;
  return {
    mes,
    recebido: totals.recebido,
    despesas: totals.despesas,
    ...current,
    aderencia: goals.meta > 0 ? share(totals.recebido, goals.meta) : 0,
    receitas: totals.receitas,
    sem_cobranca,
    previsto,
    ainda_entra,
    vencido,
    meta: goals.meta,
    reserva_sugerida: suggestedReserve(totals.recebido, shares),
    meta_reserva: totals.lancamentos > 0 ? goals.meta_reserva : 0,
    alocacoes: { imposto, reserva, operacional, retirada },
    variacao: {
      lucro: change(current.lucro, before?.lucro),
      ticket_medio: change(current.ticket_medio, before?.ticket_medio),
      aderencia: change(current.aderencia, before?.aderencia),
    },
    dias_restantes: daysLeft(mes, today),
  };
}

function indicators({ recebido, despesas, receitas }: MonthTotals, { meta }: Goals) {
  return {
    lucro: recebido - despesas,
    ticket_medio: receitas > 0 ? Math.round(recebido / receitas) : null,
    aderencia: meta > 0 ? (recebido / meta) * 100 : 0,
  };
}

function suggestedReserve(recebido: number, shares: Shares): number {
  return allocate(Math.max(recebido, 0), shares).find(({ tipo }) => tipo === 'reserva')!.valor;
}

/** Percent with one decimal; null if the base is missing or zero. */
function change(current: number | null, before: number | null | undefined): number | null {
  if (current === null || !before) return null;
  return share(current - before, Math.abs(before));
}

/** Percent with one decimal. Multiplied before it is divided: 142.5 of 1,000 is exactly 14.25 %, and rounds up. */
function share(part: number, whole: number): number {
  return Math.round((part * 1000) / whole) / 10;
}

/** Days of the month from `today` (a calendar date) on, today included. */
function daysLeft(mes: string, today: string): number {
  const first = parseISO(`${mes}-01`);
  const from = today > `${mes}-01` ? parseISO(today) : first;
  return Math.max(differenceInCalendarDays(endOfMonth(first), from) + 1, 0);
}
