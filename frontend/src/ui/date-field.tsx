import { lazy, type ComponentProps } from 'react';
import { whenReachable } from '../lib/chunks.js';
import { type Day, parseDate } from '../lib/dates.js';
import { DateTextField } from './fields.js';
import { Picker } from './picker.js';

const Calendar = lazy(() => whenReachable(() => import('./calendar.js')));

interface DateFieldProps extends ComponentProps<typeof DateTextField> {
  /** The last day that can be picked; the server refuses a later one that is typed. */
  max?: Day;
}

/** A calendar date that is typed or picked from a month. Holds what `DateTextField` holds. */
export function DateField({ value = '', onChange, max, ...props }: DateFieldProps) {
  return (
    <Picker
      label="Abrir calendário"
      icon="calendar"
      size={{ width: 308, height: 340 }}
      field={(button) => (
        <DateTextField
          {...props}
          value={value}
          {...(onChange && { onChange })}
          rightSectionWidth="clamp(44px, 3rem, 48px)"
          rightSection={button}
        />
      )}
    >
      {(close) => (
        <Calendar
          value={parseDate(value)}
          max={max}
          onChange={(day) => {
            onChange?.(day);
            close();
          }}
        />
      )}
    </Picker>
  );
}
