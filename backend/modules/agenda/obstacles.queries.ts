import { dateOf, type Span } from '../../platform/local-time.js';
import { clockTime, firstName, shortDate, timeOf } from '../../platform/portuguese.js';
import { closedAt, openHours, type OpenRules } from '../availability/free-times.js';
import { holidaysBetween, type HolidayState } from '../holidays/holiday-calendar.js';
import { busyElsewhere } from '../other-calendar/busy-words.js';
import type { Obstacle } from './obstacles.api.js';

/** A time taken by another session or calendar. `nome`: the student's name, if known. */
export interface Busy {
  from: number;
  to: number;
  nome?: string | null;
  /** Taken by another calendar instead of a session. */
  elsewhere?: boolean;
}

/** The data in which `obstaclesAt` looks for obstacles. */
export interface Known {
  busy: readonly Busy[];
  rules: OpenRules;
  holidays: HolidayState;
}

/** Times that are looked at in one turn of the event loop: a few milliseconds. */
export const TIMES_AT_ONCE = 20;

/** The most names that are listed for one time; the others are counted. */
const MOST_NAMED = 3;

interface Time {
  inicio: string;
  fim: string;
}

/** The obstacles to a session at that time. Pure, so that preview and command agree. */
export function obstaclesAt({ inicio, fim }: Time, { busy, rules, holidays }: Known): Obstacle[] {
  const span = { from: Date.parse(inicio), to: Date.parse(fim) };
  const data = dateOf(new Date(inicio), rules.zone);
  const closed = closedAt(span, rules);
  const found: Obstacle[] = [];
  if (closed?.reason === 'vacation') {
    const { start_date, end_date } = closed.vacation;
    found.push({ tipo: 'ferias', texto: `Férias de ${shortDate(start_date)} a ${shortDate(end_date)}` });
  }
  for (const { nome, ativo } of holidaysBetween(holidays, data, data))
    if (ativo) found.push({ tipo: 'feriado', texto: `Feriado: ${nome}` });
  const taking = busy.filter(({ from, to }) => from < span.to && to > span.from);
  for (const other of taking.slice(0, MOST_NAMED))
    found.push({ tipo: 'ocupado', texto: takenBy(other, rules.zone) });
  const more = taking.length - MOST_NAMED;
  if (more > 0) found.push({ tipo: 'ocupado', texto: `e mais ${more} no mesmo horário` });
  if (closed?.reason === 'blocked') {
    const texto = `Bloqueado das ${clockTime(closed.start_time)} às ${clockTime(closed.end_time)}`;
    found.push({ tipo: 'bloqueado', texto });
  }
  // The default hours do not restrict a trainer who has set none.
  if (closed?.reason === 'outside' && rules.rules.some(({ is_blocked }) => !is_blocked))
    found.push({ tipo: 'fora_do_horario', texto: outside(span, rules) });
  return found;
}

/** "5:30 é antes do seu horário (6:00)" */
function outside({ from, to }: Span, rules: OpenRules): string {
  const { hours } = openHours(from, rules);
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return 'Não há atendimento nesse dia';
  const [begins, ends] = [from, to].map((at) => timeOf(new Date(at), rules.zone)) as [string, string];
  if (begins.padStart(5, '0') < first.start_time.slice(0, 5))
    return `${begins} é antes do seu horário (${clockTime(first.start_time)})`;
  if (ends.padStart(5, '0') > last.end_time.slice(0, 5))
    return `${ends} é depois do seu horário (${clockTime(last.end_time)})`;
  return 'Fora do horário de atendimento';
}

function takenBy({ from, to, nome, elsewhere }: Busy, zone: string): string {
  if (elsewhere) return busyElsewhere({ from, to }, zone);
  const who = nome ? `${firstName(nome)} já tem sessão` : 'Já há sessão';
  return `${who} das ${timeOf(new Date(from), zone)} às ${timeOf(new Date(to), zone)}`;
}

/** Whether the time overlaps other sessions. */
export const isTaken = (obstacles: readonly Obstacle[]): boolean =>
  obstacles.some(({ tipo }) => tipo === 'ocupado');
