import { memo, useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { VisuallyHidden } from '@mantine/core';
import {
  formatDay,
  formatLongDay,
  formatTime,
  formatWeekday,
  minutesOf,
  type Day,
  type Time,
} from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import classes from './day-grid.module.css';
import { type Block, type DayTimes, useDayTimes } from './free-times.queries.js';
import { goByArrows, keepInTabOrder } from './grid-keys.js';
import {
  bandsOf,
  foldOf,
  heightOf,
  hourHeight,
  partsByDay,
  topOf,
  type Band,
  type Stretch,
} from './grid-layout.js';
import { boxOf, clock, Sessions } from './grid-sessions.js';
import { isMovable } from './move-form.js';
import type { ShownSession } from './pending-session.js';
import { useDrag, type Held } from './use-drag.js';
import { type Opens, useOpensAt } from './use-opens-at.js';

/** Callbacks of the grid. */
export interface GridActions {
  onOpen: (sessionId: string) => void;
  onBook: (day: Day, at?: Time) => void;
  /** Called when a session was dropped at another time. */
  onMove: (session: ShownSession, day: Day, times: Stretch) => void;
  /** Opens a day with more sessions than fit. */
  onDay: (day: Day) => void;
}

interface DayGridProps extends GridActions {
  label: string;
  days: readonly Day[];
  sessions: readonly ShownSession[];
  /** On the phone: a list that is shown instead of the grid, except while a session is dragged. */
  list?: ReactNode;
  /** The page opens at the current time, or at the first session of other days. */
  opens: Opens;
}

/** Stable functions that call the latest actions, so that unchanged sessions are not rendered again. */
function useSame({ onOpen, onBook, onMove, onDay }: GridActions): GridActions {
  const latest = useRef({ onOpen, onBook, onMove, onDay });
  useLayoutEffect(() => {
    latest.current = { onOpen, onBook, onMove, onDay };
  });
  return useMemo(
    () => ({
      onOpen: (id) => latest.current.onOpen(id),
      onBook: (day, at) => latest.current.onBook(day, at),
      onMove: (session, day, times) => latest.current.onMove(session, day, times),
      onDay: (day) => latest.current.onDay(day),
    }),
    [],
  );
}

/** Height of an hour by the number of days: in a single one, each session has a button; three are narrow, with more lines. */
const hourPx: Readonly<Record<number, number>> = { 1: 68, 3: 60 };
const WEEK = 7;
/** Minimum height for readable text. */
const LINE_PX = 20;
/** Longer events of another calendar are not treated as appointments, and their hours stay folded. */
const LONGEST_BUSY_MINUTES = 6 * 60;

const isBusyElsewhere = ({ tipo, start, end }: Block) =>
  tipo === 'outro_calendario' && end - start <= LONGEST_BUSY_MINUTES;
/** Days as columns on a time scale, with overlapping sessions side by side, and a line for the current time. */
export function DayGrid({ label, days, sessions, list, opens, ...actions }: DayGridProps) {
  const { onOpen, onBook, onMove, onDay } = useSame(actions);
  const zone = useZone();
  const today = useToday();
  const now = minutesOf(useTimeNow());
  const isOne = days.length === 1;
  // On the phone, the heads are in the page's bar.
  const hasHead = days.length === WEEK;
  const isNow = days.includes(today);
  const current = isNow && !hasHead ? Math.floor(now / 60) : undefined;

  const times = useDayTimes(days[0] ?? today, days.at(-1) ?? today);
  const parts = useMemo(() => partsByDay(sessions, days, zone), [sessions, days, zone]);
  const bands = useMemo(() => {
    const all = [...parts.values()].flat();
    const busy = days.flatMap((day) => times?.get(day)?.blocked.filter(isBusyElsewhere) ?? []);
    return bandsOf([...all, ...busy], hourHeight(all, hourPx[days.length]), current);
  }, [parts, days, times, current]);

  const said = useCallback(
    (band: Band) =>
      foldInWords(
        foldOf(
          band,
          days.map((day) => times?.get(day) ?? OPEN),
        ),
      ),
    [days, times],
  );

  const find = (id: string): Held | undefined => {
    for (const [day, ofDay] of parts) {
      const part = ofDay.find(({ session, continues }) => session.id === id && !continues);
      if (!part || !isMovable(part.session)) continue;
      const { inicio, fim } = part.session;
      const length = (Date.parse(fim) - Date.parse(inicio)) / 60_000;
      return { id, day, start: part.start, end: part.start + length };
    }
    return undefined;
  };
  const drop = ({ id, day, start, end }: Held) => {
    const session = sessions.find((candidate) => candidate.id === id);
    if (session) onMove(session, day, { start, end });
  };
  const { held, props } = useDrag({ days, bands, find, onDrop: drop });
  const heldSession = held && sessions.find(({ id }) => id === held.id);
  const { ref } = props;
  useLayoutEffect(() => keepInTabOrder(ref.current));
  const opening = isNow ? now : Math.min(...[...parts.values()].flatMap(([first]) => first?.start ?? []));
  useOpensAt(ref, opens, days[0], bands);

  const grid = () => (
    <div className={classes.grid} role="group" aria-label={label} data-days={days.length}>
      <Rail bands={bands} said={said} hasHead={hasHead} />
      {opens && Number.isFinite(opening) && (
        <div className={classes.opens} style={{ top: topOf(opening, bands) }} data-opens />
      )}
      {days.map((day) => (
        <section
          key={day}
          className={classes.day}
          aria-label={formatLongDay(day)}
          data-today={day === today || undefined}
        >
          {hasHead && <Head day={day} onBook={onBook} />}
          <div className={classes.column} data-column>
            <Shut times={times?.get(day)} bands={bands} />
            <Free day={day} bands={bands} onBook={onBook} />
            <Sessions
              day={day}
              parts={parts.get(day) ?? []}
              bands={bands}
              isOne={isOne}
              heldId={held && parts.get(day)?.some(({ session }) => session.id === held.id) ? held.id : null}
              onOpen={onOpen}
              onDay={onDay}
            />
            {held?.day === day && heldSession && (
              <div className={classes.ghost} style={boxOf(held, bands)} role="status">
                {formatTime(clock(held.start))}–{formatTime(clock(held.end))} {heldSession.student_nome}
              </div>
            )}
            {day === today && <Now bands={bands} />}
          </div>
        </section>
      ))}
    </div>
  );

  return (
    <div
      className={classes.area}
      data-held={held ? true : undefined}
      onKeyDown={goByArrows}
      onFocus={({ target }) => {
        // Also for focus on a session's button, so that the session gets the focus when the button disappears.
        const session = target.closest('[data-column] li')?.querySelector<HTMLElement>('[data-session]');
        if (session) keepInTabOrder(ref.current, session);
      }}
      {...props}
    >
      {/* Stays mounted while dragging, because touch events go to the element that was touched first. */}
      {list && (
        <div className={classes.list} hidden={held !== null}>
          {list}
        </div>
      )}
      {(!list || held) && grid()}
      {list && held && heldSession && (
        <p className={classes.held} aria-hidden>
          {formatDay(held.day, today)}, {formatTime(clock(held.start))}–{formatTime(clock(held.end))}
        </p>
      )}
    </div>
  );
}

/** Exact position and height of a stretch in its column; height 0 if it is outside of the shown hours. */
function shadeOf({ start, end }: Stretch, bands: readonly Band[]) {
  const top = topOf(start, bands);
  return { top, height: topOf(end, bands) - top };
}

/** The closed and blocked times of a day. */
const Shut = memo(function Shut({ times, bands }: { times: DayTimes | undefined; bands: readonly Band[] }) {
  const seen = <Item extends Stretch>(stretches: readonly Item[] = []) =>
    stretches.map((one) => ({ ...one, box: shadeOf(one, bands) })).filter(({ box }) => box.height > 0);
  // Folded hours have their own text.
  const isRead = (start: number, height: number) =>
    height >= LINE_PX && (bands.find(({ to }) => start < to)?.open ?? false);
  return (
    <>
      {seen(times?.closed).map(({ start, box }) => (
        <div key={`closed-${start}`} className={classes.closed} style={box} />
      ))}
      {seen(times?.blocked).map(({ start, tipo, label, box }) => (
        <div key={`${tipo}-${start}`} className={classes.blocked} style={box}>
          {isRead(start, box.height) ? label : <VisuallyHidden>{label}</VisuallyHidden>}
        </div>
      ))}
    </>
  );
});

/** The hours beside the days, and labels of folded hours. */
const Rail = memo(function Rail({
  bands,
  said,
  hasHead,
}: {
  bands: readonly Band[];
  /** Text for folded hours. */
  said: (band: Band) => string;
  hasHead: boolean;
}) {
  return (
    <div className={classes.rail} data-head={hasHead || undefined} aria-hidden>
      <div className={classes.column} style={{ height: heightOf(bands) }}>
        {bands.map((band) => {
          const { from, top, height, open } = band;
          return (
            <span key={from} className={classes.hour} style={{ top, height }} data-open={open}>
              {open ? clock(from) : <span className={classes.gap}>{said(band)}</span>}
            </span>
          );
        })}
      </div>
    </div>
  );
});

const OPEN = { closed: [], blocked: [] };

/** "11:00–12:00 e 13:00–14:00 livre" */
function foldInWords({ word, about }: ReturnType<typeof foldOf>): string {
  return `${about.map(({ start, end }) => `${clock(start)}–${hourOf(end)}`).join(' e ')} ${word}`;
}

const hourOf = (minute: number) => (minute === 24 * 60 ? '24:00' : clock(minute));

/** A day's header, which books on that day. */
function Head({ day, onBook }: { day: Day; onBook: (day: Day) => void }) {
  return (
    <button
      type="button"
      className={classes.head}
      onClick={() => onBook(day)}
      aria-label={`Agendar em ${formatLongDay(day)}`}
    >
      {formatWeekday(day)} <strong>{Number(day.slice(8))}</strong>
      <Icon name="plus" size={16} />
    </button>
  );
}

/** The background of a day, which books at the tapped time. Keyboard users have the day's button instead. */
const Free = memo(function Free({
  day,
  bands,
  onBook,
}: {
  day: Day;
  bands: readonly Band[];
  onBook: (day: Day, at: Time) => void;
}) {
  return bands.map(({ from, top, height, open }) => (
    <button
      key={from}
      type="button"
      tabIndex={-1}
      className={classes.free}
      style={{ top, height }}
      data-open={open}
      aria-label={`Agendar em ${formatLongDay(day)}, ${formatTime(clock(from))}`}
      onClick={() => onBook(day, clock(from))}
    >
      <Icon name="plus" size={16} />
    </button>
  ));
});

/** The line of the current time. */
function Now({ bands }: { bands: readonly Band[] }) {
  const now = useTimeNow();
  const minute = minutesOf(now);
  const [first, last] = [bands[0], bands.at(-1)];
  if (!first || !last || minute < first.from || minute >= last.to) return null;
  return (
    <div className={classes.now} style={{ top: topOf(minute, bands) }}>
      <VisuallyHidden>agora, {formatTime(now)}</VisuallyHidden>
    </div>
  );
}
