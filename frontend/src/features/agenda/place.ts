import {
  addDays,
  addMonths,
  formatDate,
  formatDay,
  formatMonth,
  lastDayOf,
  monthOf,
  parseDate,
  startOfWeek,
  weekOf,
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

/** Days of a week that a phone shows at once. */
const FEW_DAYS = 3;

/** The columns of a day or a week: on a wide screen the whole week, on a phone three days from the chosen one on. */
export function columnsOf({ mode, day }: Place, wide: boolean): Day[] {
  if (mode === 'dia') return [day];
  return wide ? weekOf(day) : Array.from({ length: FEW_DAYS }, (_, index) => addDays(day, index));
}

/** The day a number of periods later: days, weeks (on a phone three days), months or years, depending on the mode. */
export function stepped({ mode, day }: Place, periods: number, wide = true): Day {
  const to = mode === 'semana' && !wide ? addDays(day, FEW_DAYS * periods) : steps[mode](day, periods);
  return isShown(to) ? to : day;
}

/** The first and last shown day; null for a year. */
export function daysShown(place: Place, wide: boolean): { from: Day; to: Day } | null {
  const { mode, day } = place;
  if (mode === 'ano') return null;
  if (mode === 'mes') return { from: `${monthOf(day)}-01`, to: lastDayOf(monthOf(day)) };
  const columns = columnsOf(place, wide);
  return { from: columns[0]!, to: columns.at(-1)! };
}

/** The period in words, as a title. */
export function periodOf({ mode, day }: Place, today: Day, wide = true): string {
  if (mode === 'dia') return formatDay(day, today);
  if (mode === 'mes') return `${formatMonth(monthOf(day))} de ${day.slice(0, 4)}`;
  if (mode === 'ano') return day.slice(0, 4);
  if (wide && startOfWeek(day) === startOfWeek(today)) return 'Esta semana';
  const columns = columnsOf({ mode, day }, wide);
  return `${formatDate(columns[0]!).slice(0, 5)} a ${formatDate(columns.at(-1)!)}`;
}
