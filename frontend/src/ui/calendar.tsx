import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/pt-br';
import classes from './calendar.module.css';

interface CalendarProps {
  /** `YYYY-MM-DD` */
  value: string | null;
  onChange: (day: string) => void;
  /** The last day that can be picked. */
  max: string | undefined;
}

/** A month to pick a day from. */
export default function Calendar({ value, onChange, max }: CalendarProps) {
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
      value={value}
      {...(value && { defaultDate: value })}
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
