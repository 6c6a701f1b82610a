import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core';
import { type ComponentType, type ReactNode, useMemo, type CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  addDays,
  formatMonth,
  formatShortMonth,
  monthOf,
  weekOf,
  type Day,
  formatLongDay,
  formatWeekday,
} from '../../lib/dates.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { PageChoice } from '../../ui/page-choice.js';
import { useViewAddresses } from './agenda-views.js';
import { Period } from './calendar-bar.js';
import classes from './phone-bar.module.css';
import { columnsOf, modeWords, type Mode, type Place } from './place.js';
import { useWeeksOf } from './agenda.queries.js';
import { sessionsOfDay } from './hours.js';
import { useDayGrid } from './use-day-grid.js';

interface PhoneBarProps {
  place: Place;
  onMode: (mode: Mode) => void;
  onStep: (periods: number) => void;
  onDay: (day: Day) => void;
  /** Opens one of the shown days. */
  onOpen: (day: Day) => void;
  /** The menu of the agenda's settings, which here begins with everything else. */
  Settings: ComponentType<{ children?: ReactNode }>;
}

/** The phone's bars over the calendar: the month, day or week, and the menu of the rest; below it the days, or the period. */
export function PhoneBar({ place, onMode, onStep, onDay, onOpen, Settings }: PhoneBarProps) {
  const today = useToday();
  const addresses = useViewAddresses();
  const { mode, day } = place;
  const { previous, next } = modeWords[mode];
  const columns = columnsOf(place, false);
  const swipe = useSwipe((direction) =>
    mode === 'dia' ? onDay(addDays(day, 7 * direction)) : onStep(direction),
  );
  const arrow = (label: string, periods: 1 | -1) => (
    <ActionIcon aria-label={label} className={classes.arrow} onClick={() => onStep(periods)}>
      <Icon name={periods === 1 ? 'right' : 'left'} />
    </ActionIcon>
  );
  const days = {
    dia: () => <WeekStrip days={weekOf(day)} day={day} isChoice onChoose={onDay} onLeave={onDay} />,
    semana: () => (
      <div className={classes.columns}>
        {arrow('Três dias antes', -1)}
        <WeekStrip days={columns} day={day} onChoose={onOpen} onLeave={onDay} />
        {arrow('Três dias depois', 1)}
      </div>
    ),
    mes: () => null,
    ano: () => null,
  }[mode]();

  return (
    <div className={classes.bars} data-bars {...swipe}>
      <div className={classes.bar}>
        <Outward place={place} today={today} onMode={onMode} />
        <PageChoice
          aria-label="Visualização"
          className={classes.modes}
          value={mode}
          onChange={onMode}
          data={(['dia', 'semana'] as const).map((value) => ({ value, label: modeWords[value].label }))}
        />
        {day !== today && (
          <button type="button" className={classes.today} data-on-screen onClick={() => onDay(today)}>
            Hoje
          </button>
        )}
        <Settings>
          <Menu.Item
            className={classes.narrow}
            leftSection={<Icon name="calendar" size={18} />}
            onClick={() => onDay(today)}
          >
            Hoje
          </Menu.Item>
          {mode === 'dia' && (
            <>
              <Menu.Item leftSection={<Icon name="left" size={18} />} onClick={() => onStep(-1)}>
                {previous}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="right" size={18} />} onClick={() => onStep(1)}>
                {next}
              </Menu.Item>
            </>
          )}
          {(['mes', 'ano'] as const).map((each) => (
            <Menu.Item
              key={each}
              leftSection={<Icon name="calendar" size={18} />}
              onClick={() => onMode(each)}
            >
              {modeWords[each].label}
            </Menu.Item>
          ))}
          <Menu.Item component={Link} to={addresses.tasks} leftSection={<Icon name="check" size={18} />}>
            Tarefas
          </Menu.Item>
          <Menu.Item component={Link} to={addresses.search} leftSection={<Icon name="search" size={18} />}>
            Buscar
          </Menu.Item>
        </Settings>
      </div>
      {days ? (
        <>
          <VisuallyHidden>
            <Period place={place} wide={false} />
          </VisuallyHidden>
          {days}
        </>
      ) : (
        <div className={classes.period}>
          {arrow(previous, -1)}
          <Period place={place} wide={false} />
          {arrow(next, 1)}
        </div>
      )}
    </div>
  );
}

/** The larger period in which the shown one is, which a tap opens: the month, or its year. */
function Outward({
  place: { mode, day },
  today,
  onMode,
}: { place: Place; today: Day } & Pick<PhoneBarProps, 'onMode'>) {
  const [year, month] = [day.slice(0, 4), monthOf(day)];
  if (mode === 'ano') return <span className={classes.outward} />;
  const isYear = mode === 'mes';
  const words = year === today.slice(0, 4) ? formatMonth(month) : `${formatShortMonth(month)} ${year}`;
  return (
    <div className={classes.outward}>
      <button type="button" className={classes.month} onClick={() => onMode(isYear ? 'ano' : 'mes')}>
        <span className={classes.name}>{isYear ? year : words}</span>
        <VisuallyHidden component="span">{isYear ? ', ver o ano' : ', ver o mês'}</VisuallyHidden>
        <Icon name="down" size={18} />
      </button>
    </div>
  );
}

/** Number of sessions of a full day. */
const FULL_DAY = 8;

interface WeekStripProps {
  days: readonly Day[];
  day: Day;
  /** `day` is the chosen one. */
  isChoice?: boolean;
  onChoose: (day: Day) => void;
  /** Called by a key that leads to a day outside of `days`. */
  onLeave: (day: Day) => void;
}

/** Days with a bar for their load, to choose one by a tap or by arrow keys. */
function WeekStrip({ days, day, isChoice = false, onChoose, onLeave }: WeekStripProps) {
  const zone = useZone();
  const today = useToday();
  const { data } = useWeeksOf(days[0]!, days.at(-1)!);
  const live = useMemo(() => (data ?? []).filter(({ status }) => status !== 'cancelada'), [data]);
  const { at, props } = useDayGrid({
    day,
    holds: (to) => days.includes(to),
    step: (from, periods) => addDays(from, days.length * periods),
    onOpen: onChoose,
    onLeave,
  });
  return (
    <div
      role="group"
      aria-label="Dias"
      className={classes.strip}
      style={{ '--days': days.length } as CSSProperties}
      {...props}
    >
      {days.map((date) => {
        const count = sessionsOfDay(live, date, zone).length;
        return (
          <button
            key={date}
            type="button"
            className={classes.day}
            tabIndex={date === at ? 0 : -1}
            aria-pressed={isChoice ? date === day : undefined}
            aria-label={`${formatLongDay(date)}, ${plural(count, 'sessão', 'sessões')}`}
            data-day={date}
            data-today={date === today || undefined}
          >
            <span className={classes.weekday}>{formatWeekday(date).replace('.', '')}</span>
            <span className={classes.number}>{Number(date.slice(8))}</span>
            <span
              className={classes.load}
              style={{ '--load': Math.min(count / FULL_DAY, 1) } as CSSProperties}
            />
          </button>
        );
      })}
    </div>
  );
}
