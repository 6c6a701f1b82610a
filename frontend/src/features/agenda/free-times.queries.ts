import { useQuery } from '@tanstack/react-query';
import type {
  FreePeriod,
  FreeTimesAnswer,
} from '../../../../backend/modules/availability/availability.api.js';
import { addDays, dayOf, instantOf, minutesOf, timeOf, type Day } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import type { Stretch } from './grid-layout.js';

const FREE_TIMES = reads('free-times', ['sessions', 'availability']);
/** Shorter stretches are not offered. */
const SHORTEST_MINUTES = 30;

export interface DayTimes {
  /** What is free and open. */
  free: Stretch[];
  /** Vacations and blocked times. */
  blocked: (Stretch & { label: string })[];
}

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

/** What is free and what is blocked on some days, by the trainer's hours; undefined until the server has said it. */
export function useDayTimes(first: Day, last: Day): ReadonlyMap<Day, DayTimes> | undefined {
  const zone = useZone();
  const { data } = useQuery({
    queryKey: [FREE_TIMES, first, last],
    queryFn: ({ signal }) => {
      const [from, to] = [instantOf(first, '00:00', zone), instantOf(addDays(last, 1), '00:00', zone)];
      return http.get<FreeTimesAnswer>('/free-times', { from, to, minutos: SHORTEST_MINUTES }, signal);
    },
    select: ({ livres, bloqueios }) => {
      const days = new Map<Day, DayTimes>();
      const of = (day: Day) => {
        const known = days.get(day) ?? { free: [], blocked: [] };
        days.set(day, known);
        return known;
      };
      for (const period of livres) for (const [day, part] of byDay(period, zone)) of(day).free.push(part);
      for (const { tipo, descricao, ...period } of bloqueios) {
        const label = descricao ?? (tipo === 'ferias' ? 'Férias' : 'Bloqueado');
        for (const [day, part] of byDay(period, zone)) of(day).blocked.push({ ...part, label });
      }
      return days;
    },
  });
  return data;
}
