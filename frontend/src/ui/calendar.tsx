import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/pt-br';
import { formatLongDay } from '../lib/dates.js';
import classes from './calendar.module.css';

interface CalendarProps {
  /** `YYYY-MM-DD` */
  value: string | null;
  onChange: (day: string) => void;
  /** The first and the last day that can be picked. */
  min?: string | undefined;
  max?: string | undefined;
  /** Days with a dot; what the dot means is said to screen readers. */
  marked?: { days: ReadonlySet<string>; meaning: string };
}

/** A month to pick a day from. */
export default function Calendar({ value, onChange, min, max, marked }: CalendarProps) {
  return (
    <DatePicker
      locale="pt-br"
      firstDayOfWeek={0}
      size="md"
      weekdayFormat="ddd"
      classNames={{
        calendarHeaderControl: classes.control,
        calendarHeaderLevel: classes.level,
        day: classes.day,
        weekday: classes.weekday,
      }}
      {...(marked && {
        fullWidth: true,
        getDayProps: (day) => (marked.days.has(day) ? { 'data-marked': true } : {}),
        getDayAriaLabel: (day) =>
          marked.days.has(day) ? `${formatLongDay(day)}, ${marked.meaning}` : formatLongDay(day),
      })}
      value={value}
      {...(value && { defaultDate: value })}
      {...(min && { minDate: min })}
      {...(max && { maxDate: max })}
      onChange={(day) => {
        if (day) onChange(day);
      }}
      ariaLabels={{
        nextMonth: 'Próximo mês',
        previousMonth: 'Mês anterior',
        nextYear: 'Próximo ano',
        previousYear: 'Ano anterior',
        nextDecade: 'Próxima década',
        previousDecade: 'Década anterior',
        monthLevelControl: 'Escolher o mês',
        yearLevelControl: 'Escolher o ano',
      }}
    />
  );
}
