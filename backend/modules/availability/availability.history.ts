import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import type { DateException, DayRow, WeekRow } from './availability.api.js';
import type { AvailabilityEvent } from './availability.js';

const subjects = (_data: never, tenantId: string) => [`availability:${tenantId}`];

const days = ['dom.', 'seg.', 'ter.', 'qua.', 'qui.', 'sex.', 'sáb.'];

const time = (clock: string) => clock.replace(/^0/, '');
const stretch = ({ start_time, end_time, is_blocked }: DayRow) =>
  `${time(start_time)}–${time(end_time)}${is_blocked ? ' bloqueado' : ''}`;

function week(horarios: readonly WeekRow[]): string {
  const named = days.map((day, weekday) => {
    const rows = horarios.filter(({ day_of_week }) => day_of_week === weekday);
    return rows.length === 0 ? '' : `${day} ${rows.map(stretch).join(' e ')}`;
  });
  return named.filter(Boolean).join('; ');
}

export const availabilityHistory: HistoryWords<AvailabilityEvent> = {
  AvailabilitySet: {
    subjects,
    words: ({ horarios }: { horarios: WeekRow[] }) =>
      horarios.length === 0
        ? 'Removeu os horários de atendimento: todo dia das 9:00 às 17:00'
        : `Definiu os horários de atendimento: ${week(horarios)}`,
  },
  AvailabilityExceptionSet: {
    subjects,
    words: ({ data, horarios }: DateException) =>
      horarios.length === 0
        ? `Removeu a exceção de ${shortDate(data)}`
        : `Definiu uma exceção para ${shortDate(data)}: ${horarios.map(stretch).join(' e ')}`,
  },
};
