import { getDay, parseISO } from 'date-fns';
import { plural } from '../../platform/plural.api.js';
import type { SessionDay } from '../agenda/session-days.api.js';
import { type Days, isWeek } from './days.js';
import { single } from './period.js';
import { capital, counted, day, linked, listed, onDays, type Part, say } from './saying.js';

/** Number of sessions on some days; a group counts as one. */
export interface AgendaLoad {
  days: Days;
  today: string;
  agendada: number;
  feita: number;
  cancelada: number;
  /** The day with the most sessions; null if there are none. */
  cheio: { dia: string; sessoes: number } | null;
}

export function loadOf(days: Days, today: string, counted: readonly SessionDay[]): AgendaLoad {
  const sum = (status: 'agendada' | 'feita' | 'cancelada') =>
    counted.reduce((total, each) => total + each[status], 0);
  const cheio = counted
    .map(({ dia, agendada, feita }) => ({ dia, sessoes: agendada + feita }))
    .reduce<AgendaLoad['cheio']>((most, each) => (each.sessoes > (most?.sessoes ?? 0) ? each : most), null);
  const sums = { agendada: sum('agendada'), feita: sum('feita'), cancelada: sum('cancelada') };
  return { days, today, ...sums, cheio };
}

export function agendaLink(days: Days): string {
  const { de, ate } = days;
  if (de === ate) return `/agenda?modo=dia&dia=${de}`;
  const mode = isWeek(days) ? 'semana' : de.slice(0, 7) === ate.slice(0, 7) ? 'mes' : 'ano';
  return `/agenda?modo=${mode}&dia=${de}`;
}

export const sessions = (count: number): string => plural(count, 'sessão', 'sessões');

const WEEKDAYS = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'];
/** `quinta, 26/11` */
export const namedDay = (date: string): string => `${WEEKDAYS[getDay(parseISO(date))]!}, ${day(date)}`;

/** The answer about how full the agenda is. */
export function agendaAnswer({ days, today, agendada, feita, cancelada, cheio }: AgendaLoad): Part[] {
  const link = agendaLink(days);
  const when = capital(onDays(days, today));
  const isOver = days.ate < today;
  const had = isOver ? 'teve' : 'tem';
  const total = agendada + feita;
  const gone =
    cancelada > 0 ? say` ${counted(cancelada, 'cancelada', 'canceladas', link)} fora da conta.` : [];
  if (total === 0) return say`${when}, você não ${had} sessões agendadas.${gone}`;
  const parts = [
    ...(feita > 0 ? [say`${counted(feita, 'feita', 'feitas', link)}`] : []),
    ...(agendada > 0 ? [say`${counted(agendada, 'agendada', 'agendadas', link)}`] : []),
  ];
  const full = days.de !== days.ate && cheio ? fullest(cheio, isOver) : [];
  return say`${when}, você ${had} ${linked(sessions(total), link)}: ${listed(parts)}.${full}${gone}`;
}

function fullest({ dia, sessoes }: NonNullable<AgendaLoad['cheio']>, isOver: boolean): Part[] {
  const link = agendaLink(single(dia));
  return say` O dia mais cheio ${isOver ? 'foi' : 'é'} ${linked(namedDay(dia), link)}, com ${linked(String(sessoes), link)}.`;
}
