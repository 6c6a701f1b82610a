import type { OwnTimes as Times } from '../../../../backend/modules/student-area/student-booking.api.js';
import {
  dayOf,
  formatDate,
  formatDay,
  formatLongDay,
  formatTime,
  timeOf,
  type Day,
} from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import classes from './own-times.module.css';

interface OwnTimesProps extends Pick<Times, 'pausado_ate'> {
  times: Times['horarios'];
  chosen: string | null;
  onChoose: (inicio: string) => void;
}

/** Free times by day, each a button. */
export function OwnTimes({ times, pausado_ate, chosen, onChoose }: OwnTimesProps) {
  const zone = useZone();
  const today = useToday();
  const days = new Map<Day, string[]>();
  for (const { inicio } of times) {
    const day = dayOf(inicio, zone);
    days.set(day, [...(days.get(day) ?? []), inicio]);
  }
  const paused = pausado_ate && `Pausado até ${formatDate(pausado_ate)}.`;
  if (days.size === 0)
    return (
      <Notice icon="calendar" title="Nenhum horário livre">
        {paused
          ? `${paused} Para voltar antes, fale com seu personal.`
          : 'Fale com seu personal ou volte mais tarde.'}
      </Notice>
    );
  return (
    <div className={classes.days}>
      {paused && <Quiet size="sm">{`${paused} Estes são os horários livres depois da pausa.`}</Quiet>}
      {[...days].map(([day, starts]) => (
        <section key={day} aria-label={formatLongDay(day)}>
          <h2 className={classes.day}>{formatDay(day, today)}</h2>
          <div className={classes.times}>
            {starts.map((inicio) => (
              <button
                key={inicio}
                type="button"
                className={classes.time}
                aria-pressed={inicio === chosen}
                onClick={() => onChoose(inicio)}
              >
                {formatTime(timeOf(inicio, zone))}
              </button>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
