import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BlockKind, FreePeriod } from '../../../../backend/modules/agenda/free-times.api.js';
import { read } from '../../lib/calls.js';
import { addDays, dayOf, instantOf, minutesOf, timeOf, type Day } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import type { Stretch } from './grid-layout.js';

const FREE_TIMES = reads('free-times', ['sessions', 'availability', 'calendar', 'locations']);
/** Shorter stretches are not offered. */
const SHORTEST_MINUTES = 30;

export interface DayTimes {
  /** Free times within the working hours. */
  free: Stretch[];
  /** Vacations, blocked times, and events of another calendar. */
  blocked: Block[];
  /** Times outside of the trainer's working hours. */
  closed: Stretch[];
}

export interface Block extends Stretch {
  label: string;
  tipo: BlockKind;
}

const labels = {
  ferias: 'Férias',
  bloqueado: 'Bloqueado',
  outro_calendario: 'Outro calendário',
  deslocamento: 'Deslocamento',
};

/** The parts of a period by the day in which they lie, in minutes since its midnight. */
function byDay({ inicio, fim }: FreePeriod, zone: string): [Day, Stretch][] {
  const parts: [Day, Stretch][] = [];
  for (let from = inicio; from < fim;) {
    const day = dayOf(from, zone);
    const midnight = instantOf(addDays(day, 1), '00:00', zone);
    const to = midnight < fim ? midnight : fim;
    const start = minutesOf(timeOf(from, zone));
    parts.push([day, { start, end: to === midnight ? 24 * 60 : minutesOf(timeOf(to, zone)) }]);
    from = to;
  }
  return parts;
}

/** Free and blocked times of some days, by the trainer's working hours and, with a location, the travel times. */
export function useTimesOf(first: Day, last: Day, place: string | null = null) {
  const zone = useZone();
  return useQuery({
    queryKey: [FREE_TIMES, first, last, ...(place ? [place] : [])],
    ...(place && { placeholderData: keepPreviousData }),
    queryFn: ({ signal }) => {
      const [from, to] = [instantOf(first, '00:00', zone), instantOf(addDays(last, 1), '00:00', zone)];
      const asked = { from, to, minutos: SHORTEST_MINUTES, location_id: place ?? undefined };
      return read('GET /free-times', { query: asked, signal });
    },
    select: ({ livres, bloqueios }) => {
      const days = new Map<Day, DayTimes>();
      const of = (day: Day) => {
        const known = days.get(day) ?? { free: [], blocked: [], closed: [] };
        days.set(day, known);
        return known;
      };
      for (const period of livres) for (const [day, part] of byDay(period, zone)) of(day).free.push(part);
      for (const { tipo, descricao, ...period } of bloqueios) {
        for (const [day, part] of byDay(period, zone))
          if (tipo === 'fechado') of(day).closed.push(part);
          else of(day).blocked.push({ ...part, tipo, label: descricao ?? labels[tipo] });
      }
      return days;
    },
  });
}

/** Those times; undefined while loading. */
export const useDayTimes = (...days: Parameters<typeof useTimesOf>): ReadonlyMap<Day, DayTimes> | undefined =>
  useTimesOf(...days).data;

/** The reason why a day has no bookable time at a location, as far as the server's answer is loaded. */
export function useShut(day: Day, place: string | null = null): readonly Stretch[] {
  const times = useDayTimes(day, day, place)?.get(day);
  return times ? [...times.blocked, ...times.closed] : NEVER;
}

const NEVER: readonly Stretch[] = [];
