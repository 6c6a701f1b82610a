import { ActionIcon, Button } from '@mantine/core';
import { formatDate, formatLongDay, type Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { PageChoice } from '../../ui/page-choice.js';
import classes from './agenda-page.module.css';
import { modes as allModes, modeWords, periodOf, type Mode, type Place } from './place.js';

interface CalendarBarProps {
  place: Place;
  onMode: (mode: Mode) => void;
  onStep: (periods: number) => void;
  onDay: (day: Day) => void;
  /** The modes to choose from; default: all. */
  modes?: readonly Mode[];
}

/** On wide screens: the period that the calendar shows, and the controls for another period or mode. */
export function CalendarBar({ place, onMode, onStep, onDay, modes = allModes }: CalendarBarProps) {
  const today = useToday();
  const { previous, next } = modeWords[place.mode];
  return (
    <div className={classes.bar}>
      <Period place={place} wide />
      <PageChoice
        aria-label="Visualização"
        value={place.mode}
        onChange={onMode}
        data={modes.map((value) => ({ value, label: modeWords[value].label }))}
      />
      <div className={classes.moves}>
        <ActionIcon aria-label={previous} onClick={() => onStep(-1)}>
          <Icon name="left" />
        </ActionIcon>
        <Button size="sm" variant="default" onClick={() => onDay(today)}>
          Hoje
        </Button>
        <ActionIcon aria-label={next} onClick={() => onStep(1)}>
          <Icon name="right" />
        </ActionIcon>
      </div>
    </div>
  );
}

/** The shown period as the heading of the calendar. */
export function Period({ place, wide }: { place: Place; wide: boolean }) {
  const { mode, day } = place;
  const title = periodOf(place, useToday(), wide);
  /** Whether the title is "hoje" or similar, without a date. */
  const isNamed = mode === 'dia' && !/\d/.test(title);
  return (
    <h2 className={classes.period} tabIndex={-1} title={mode === 'dia' ? formatLongDay(day) : undefined}>
      {title}
      {isNamed && <span className={classes.date}>{formatDate(day)}</span>}
    </h2>
  );
}
