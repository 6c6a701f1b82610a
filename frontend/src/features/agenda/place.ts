import {
  addDays,
  addMonths,
  formatDate,
  formatDay,
  formatMonth,
  monthOf,
  parseDate,
  startOfWeek,
  type Day,
} from '../../lib/dates.js';

export const modes = ['dia', 'semana', 'mes', 'ano'] as const;
export type Mode = (typeof modes)[number];

/** What the calendar shows: a mode and a day. */
export interface Place {
  mode: Mode;
  day: Day;
}

/** Texts of each mode, and of its arrows. */
export const modeWords: Record<Mode, { label: string; previous: string; next: string }> = {
  dia: { label: 'Dia', previous: 'Dia anterior', next: 'Próximo dia' },
  semana: { label: 'Semana', previous: 'Semana anterior', next: 'Próxima semana' },
  mes: { label: 'Mês', previous: 'Mês anterior', next: 'Próximo mês' },
  ano: { label: 'Ano', previous: 'Ano anterior', next: 'Próximo ano' },
};

const FIRST_DAY: Day = '2000-01-01';
const LAST_DAY: Day = '2099-12-31';

const isMode = (value: string | null): value is Mode => modes.some((mode) => mode === value);
const isShown = (day: Day | null): day is Day => day !== null && day >= FIRST_DAY && day <= LAST_DAY;

/** The place in an address; the default for missing or invalid values. */
export function placeIn(search: URLSearchParams, usual: Place): Place {
  const mode = search.get('modo');
  const day = parseDate(search.get('dia') ?? '');
  return { mode: isMode(mode) ? mode : usual.mode, day: isShown(day) ? day : usual.day };
}

/** The address parameters of a place; null for defaults. */
export const addressOf = ({ mode, day }: Place, usual: Place): Record<'modo' | 'dia', string | null> => ({
  modo: mode === usual.mode ? null : mode,
  dia: day === usual.day ? null : day,
});

const steps: Record<Mode, (day: Day, periods: number) => Day> = {
  dia: addDays,
  semana: (day, weeks) => addDays(day, 7 * weeks),
  mes: addMonths,
  ano: (day, years) => addMonths(day, 12 * years),
};

/** The day a number of periods later: days, weeks, months or years, depending on the mode. */
export function stepped({ mode, day }: Place, periods: number): Day {
  const to = steps[mode](day, periods);
  return isShown(to) ? to : day;
}

/** The first and last shown day; null for a year. */
export function daysShown({ mode, day }: Place): { from: Day; to: Day } | null {
  if (mode === 'ano') return null;
  if (mode === 'dia') return { from: day, to: day };
  const from = mode === 'semana' ? startOfWeek(day) : `${monthOf(day)}-01`;
  return { from, to: addDays(mode === 'semana' ? addDays(from, 7) : addMonths(from, 1), -1) };
}

/** The period in words, as a title. */
export function periodOf({ mode, day }: Place, today: Day): string {
  if (mode === 'dia') return formatDay(day, today);
  if (mode === 'mes') return `${formatMonth(monthOf(day))} de ${day.slice(0, 4)}`;
  if (mode === 'ano') return day.slice(0, 4);
  const first = startOfWeek(day);
  if (first === startOfWeek(today)) return 'Esta semana';
  return `${formatDate(first).slice(0, 5)} a ${formatDate(addDays(first, 6))}`;
}
