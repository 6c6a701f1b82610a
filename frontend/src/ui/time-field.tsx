import { lazy, type ComponentProps } from 'react';
import { whenReachable } from '../lib/chunks.js';
import { parseTime } from '../lib/dates.js';
import { TimeTextField } from './fields.js';
import { Picker } from './picker.js';

const Clock = lazy(() => whenReachable(() => import('./clock.js')));

/** A time of day that is typed or picked. Holds what `TimeTextField` holds. */
export function TimeField({ value = '', onChange, ...props }: ComponentProps<typeof TimeTextField>) {
  return (
    <Picker
      label="Escolher o horário"
      icon="clock"
      size={{ width: 284, height: 378 }}
      field={(button) => (
        <TimeTextField
          {...props}
          value={value}
          {...(onChange && { onChange })}
          rightSectionWidth={48}
          rightSection={button}
        />
      )}
    >
      {(close) => <Clock value={parseTime(value)} onChange={(time) => onChange?.(time)} onDone={close} />}
    </Picker>
  );
}
