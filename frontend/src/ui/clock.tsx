import '@mantine/core/styles/SimpleGrid.layer.css';
import { TimeGrid } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import type { KeyboardEvent } from 'react';
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
      <Times
        label="Hora"
        times={hours.map((each) => `${each}:${minutes}`)}
        value={value}
        onChoose={onChange}
      />
      <Times
        label="Minutos"
        className={classes.minutes}
        times={quarters.map((each) => `${hour || '00'}:${each}`)}
        disabled={hour === ''}
        value={value}
        onChoose={(time) => {
          onChange(time);
          onDone();
        }}
      />
    </div>
  );
}

const COLUMNS = 4;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

/** Arrow keys move from one time to the next. */
function walk(event: KeyboardEvent<HTMLDivElement>) {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const controls = [...event.currentTarget.querySelectorAll('button')];
  const at = controls.findIndex((control) => control === document.activeElement);
  controls[at + step]?.focus();
}

interface TimesProps {
  label: string;
  times: Time[];
  value: Time | null;
  onChoose: (time: Time) => void;
  disabled?: boolean;
  className?: string | undefined;
}

/** Times side by side, one stop for the Tab key. */
function Times({ label, times, value, onChoose, disabled = false, className }: TimesProps) {
  const stop = value !== null && times.includes(value) ? value : times[0];
  return (
    <TimeGrid
      role="group"
      aria-label={label}
      className={className}
      classNames={{ control: classes.control }}
      data={times}
      simpleGridProps={{ cols: COLUMNS, spacing: 4 }}
      disabled={disabled}
      value={value}
      allowDeselect
      onChange={(time) => {
        // The time that is already selected counts.
        const chosen = time ?? value;
        if (chosen) onChoose(chosen);
      }}
      getControlProps={(time) => ({ 'aria-pressed': time === value, tabIndex: time === stop ? 0 : -1 })}
      onKeyDown={walk}
    />
  );
}
