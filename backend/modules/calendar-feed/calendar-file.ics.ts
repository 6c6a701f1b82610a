import { setImmediate as nextTurn } from 'node:timers/promises';
import ical, {
  ICalCalendarMethod,
  ICalEventRepeatingFreq,
  ICalEventStatus,
  ICalEventTransparency,
  ICalWeekday,
} from 'ical-generator';

/** A calendar entry of a session. */
export interface CalendarEntry {
  id: string;
  inicio: Date;
  fim: Date;
  status: string;
  confirmado: boolean;
  /** Number of the session's changes so far. */
  revisao: number;
  alterada_em: Date;
  titulo: string;
  local: string | null;
  repete?: Repetition;
}

/** Weekly or fortnightly repetition of an entry, in UTC. */
export interface Repetition {
  intervalo: number;
  /** Days of the week, 0 is Sunday; `semana`: the first day of a week. */
  dias: readonly number[];
  semana: number;
  /** Start of the last occurrence. */
  ate: Date;
  /** Exceptions: starts of the rule that are left out. */
  fora: readonly Date[];
}

interface CalendarFile {
  name: string;
  entries: readonly CalendarEntry[];
}

/** How often calendar programs should refresh the calendar, in seconds. */
const TTL = 3_600;

const statusOf = ({ status, confirmado }: CalendarEntry) => {
  if (status === 'cancelada') return ICalEventStatus.CANCELLED;
  return confirmado ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE;
};

/** Entries that are written in one turn of the event loop: a few milliseconds. */
const AT_ONCE = 20;
const END = 'END:VCALENDAR';

/**
 * Sessions as text/calendar. Times are instants in UTC: every parser supports them and shows local time, while a VTIMEZONE would
 * repeat rules that change. The text depends on the entries only, so equal entries give equal bytes.
 */
export async function calendarFile({ name, entries }: CalendarFile): Promise<string> {
  const head = written(name, []).slice(0, -END.length);
  let text = head;
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    if (from > 0) await nextTurn();
    text += written(name, entries.slice(from, from + AT_ONCE)).slice(head.length, -END.length);
  }
  return `${text}${END}\r\n`;
}

const WEEKDAYS = [
  ICalWeekday.SU,
  ICalWeekday.MO,
  ICalWeekday.TU,
  ICalWeekday.WE,
  ICalWeekday.TH,
  ICalWeekday.FR,
  ICalWeekday.SA,
];

const ruleOf = ({ intervalo, dias, semana, ate, fora }: Repetition) => ({
  freq: ICalEventRepeatingFreq.WEEKLY,
  ...(intervalo > 1 && { interval: intervalo, startOfWeek: WEEKDAYS[semana]! }),
  byDay: dias.map((day) => WEEKDAYS[day]!),
  until: ate,
  ...(fora.length > 0 && { exclude: [...fora] }),
});

function written(name: string, entries: readonly CalendarEntry[]): string {
  const calendar = ical({
    name,
    prodId: { company: 'Rende', product: 'Agenda', language: 'PT-BR' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: TTL,
  });
  for (const entry of entries) {
    const { id, inicio, fim, revisao, alterada_em, titulo, local, repete } = entry;
    const status = statusOf(entry);
    calendar.createEvent({
      id: `${id}@rende`,
      sequence: revisao,
      stamp: alterada_em,
      lastModified: alterada_em,
      start: inicio,
      end: fim,
      summary: titulo,
      ...(local !== null && { location: local }),
      ...(repete && { repeating: ruleOf(repete) }),
      status,
      transparency:
        status === ICalEventStatus.CANCELLED
          ? ICalEventTransparency.TRANSPARENT
          : ICalEventTransparency.OPAQUE,
    });
  }
  return calendar.toString();
}
