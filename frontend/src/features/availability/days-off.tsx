import { addDays, formatDate, formatDay, type Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { useHolidays, useVacations } from './availability.queries.js';
import classes from './availability.module.css';

/** Days by which a week may reach into the next year. */
const MOST_DAYS_OVER = 6;

/** The holidays and vacations from `from` to `to`, both included. */
export function DaysOff({ from, to }: { from: Day; to: Day }) {
  const today = useToday();
  const year = from.slice(0, 4);
  const holidays = useHolidays(`${year}-01-01`, addDays(`${year}-12-31`, MOST_DAYS_OVER));
  const vacations = useVacations();
  const shown = [
    ...(holidays.data?.items ?? [])
      .filter(({ ativo, data }) => ativo && from <= data && data <= to)
      .map(({ id, nome, data }) => ({
        key: `${id} ${data}`,
        text: `Feriado: ${nome}${from === to ? '' : `, ${formatDay(data, today)}`}`,
      })),
    ...(vacations.data?.items ?? [])
      .filter(({ start_date, end_date }) => start_date <= to && from <= end_date)
      .map(({ id, start_date, end_date }) => ({
        key: id,
        text: `Férias: ${formatDate(start_date)} a ${formatDate(end_date)}`,
      })),
  ];
  if (shown.length === 0) return null;
  return (
    <ul className={classes.daysOff} aria-label="Feriados e férias">
      {shown.map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  );
}
