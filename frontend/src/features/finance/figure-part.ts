import {
  type Figure,
  figure,
  type FigurePart,
  figureLinesQuery,
  type MonthSummary,
} from '../../../../backend/modules/finance/finance.api.js';
import { addMonths, lastDayOf, type Month, monthOf } from '../../lib/dates.js';

/** Figures that are computed from the received amount. */
const COMPUTED = ['ticket_medio', 'aderencia', 'reserva_sugerida'] as const;

/** The figures that can be opened. */
export type Explained = Figure | (typeof COMPUTED)[number];

const isFigure = (name: string | null): name is Figure => figure.options.some((each) => each === name);

/** Parameters of the address that name a part of a figure. */
export const PART_NAMES = ['de', 'ate', 'aluno', 'meio', 'categoria'] as const;

export interface Asked {
  figure: Explained;
  /** What the shown lines are. */
  part: FigurePart;
}

/** The figure that the address asks for: of the month, or of what the address names; null without one, or if that is wrong. */
export function askedIn(search: URLSearchParams, month: Month): Asked | null {
  const asked = search.get('figura');
  const shown = isFigure(asked) ? asked : COMPUTED.find((name) => name === asked);
  if (!shown) return null;
  const [de = `${month}-01`, ate = lastDayOf(month), student_id, metodo_pagamento, categoria] =
    PART_NAMES.map((name) => search.get(name) ?? undefined);
  const lines = {
    figura: isFigure(shown) ? shown : 'recebido',
    de,
    ate,
    student_id,
    metodo_pagamento,
    categoria,
  };
  const { data } = figureLinesQuery.safeParse(lines);
  if (!data) return null;
  const { limit: _limit, ...part } = data;
  return { figure: shown, part };
}

/** The months that the lines are in. */
export function monthsIn({ de, ate }: FigurePart): Month[] {
  const months: Month[] = [];
  for (let day = `${monthOf(de)}-01`; day <= ate; day = addMonths(day, 1)) months.push(monthOf(day));
  return months;
}

/** What a figure is computed from, in one month or several. */
export type PeriodSummary = Pick<
  MonthSummary,
  'receitas' | 'ticket_medio' | 'meta' | 'aderencia' | 'reserva_sugerida'
>;

export function overMonths(months: readonly MonthSummary[]): PeriodSummary {
  const sum = (figure: 'recebido' | 'receitas' | 'meta' | 'reserva_sugerida') =>
    months.reduce((total, month) => total + month[figure], 0);
  const [recebido, receitas, meta] = [sum('recebido'), sum('receitas'), sum('meta')];
  return {
    receitas,
    meta,
    reserva_sugerida: sum('reserva_sugerida'),
    ticket_medio: receitas > 0 ? Math.round(recebido / receitas) : null,
    aderencia: Math.round((recebido * 1000) / meta) / 10,
  };
}
