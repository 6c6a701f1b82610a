import '@mantine/core/styles/SimpleGrid.layer.css';
import { TimeGrid } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import type { Time } from '../lib/dates.js';
import classes from './clock.module.css';

interface ClockProps {
  value: Time | null;
  onChange: (time: Time) => void;
  /** Called once the minutes are chosen too. */
  onDone: () => void;
}

const pad = (value: number) => String(value).padStart(2, '0');
const hours = Array.from({ length: 24 }, (_, hour) => pad(hour));
const quarters = ['00', '15', '30', '45'];

/** A time of day to pick: first its hour, then its quarter. */
export default function Clock({ value, onChange, onDone }: ClockProps) {
  const [hour = '', minutes = '00'] = value?.split(':') ?? [];
  return (
    <div className={classes.clock}>
      <TimeGrid
        role="group"
        aria-label="Hora"
        classNames={{ control: classes.control }}
        data={hours.map((each) => `${each}:${minutes}`)}
        simpleGridProps={{ cols: 4, spacing: 4 }}
        value={value}
        onChange={(time) => time && onChange(time)}
      />
      <TimeGrid
        className={classes.minutes}
        role="group"
        aria-label="Minutos"
        classNames={{ control: classes.control }}
        data={quarters.map((each) => `${hour || '00'}:${each}`)}
        simpleGridProps={{ cols: 4, spacing: 4 }}
        disabled={hour === ''}
        value={value}
        onChange={(time) => {
          if (time) onChange(time);
          onDone();
        }}
      />
    </div>
  );
}
