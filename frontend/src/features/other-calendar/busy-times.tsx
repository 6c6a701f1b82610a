import { useMemo } from 'react';
import { addDays, type Day, dayOf, formatDay, formatTime, instantOf, timeOf } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import classes from './other-calendar.module.css';
import { useBusyTimes } from './other-calendar.queries.js';

/** When the trainer is busy by the other calendar, both days included; nothing where never. */
export function BusyTimes({ from, to }: { from: Day; to: Day }) {
  const zone = useZone();
  const today = useToday();
  const span = useMemo(
    () => [instantOf(from, '00:00', zone), instantOf(addDays(to, 1), '00:00', zone)] as const,
    [from, to, zone],
  );
  const { data } = useBusyTimes(...span);
  if (!data || data.items.length === 0) return null;
  const isOneDay = from === to;
  return (
    <ul className={classes.busy} aria-label="Ocupado no outro calendário">
      {data.items.map(({ inicio, fim }) => {
        const times = `${formatTime(timeOf(inicio, zone))}–${formatTime(timeOf(fim, zone))}`;
        return (
          <li key={inicio}>
            Ocupado no outro calendário{isOneDay ? '' : ` ${formatDay(dayOf(inicio, zone), today)}`}, {times}
          </li>
        );
      })}
    </ul>
  );
}
