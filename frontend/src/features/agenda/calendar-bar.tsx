import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { formatDate, formatLongDay, type Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { PageChoice } from '../../ui/page-choice.js';
import classes from './calendar-bar.module.css';
import { ModeDrawer } from './mode-drawer.js';
import { modes, modeWords, periodOf, type Mode, type Place } from './place.js';

interface CalendarBarProps {
  place: Place;
  onMode: (mode: Mode) => void;
  onStep: (periods: number) => void;
  onDay: (day: Day) => void;
}

/** The period that the calendar shows, and the controls for another period or mode. */
export function CalendarBar({ place, onMode, onStep, onDay }: CalendarBarProps) {
  const today = useToday();
  const hasRoom = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  const { mode, day } = place;
  const { previous, next } = modeWords[mode];
  const title = periodOf(place, today);
  /** Whether the title is "hoje" or similar, without a date. */
  const isNamed = mode === 'dia' && !/\d/.test(title);
  return (
    <>
      <div className={classes.bar}>
        {hasRoom ? (
          <PageChoice
            aria-label="Visualização"
            value={mode}
            onChange={onMode}
            data={modes.map((value) => ({ value, label: modeWords[value].label }))}
          />
        ) : (
          <ModeDrawer mode={mode} onMode={onMode} />
        )}
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
      <h2 className={classes.period} tabIndex={-1} title={mode === 'dia' ? formatLongDay(day) : undefined}>
        {title}
        {isNamed && <span className={classes.date}>{formatDate(day)}</span>}
      </h2>
    </>
  );
}
