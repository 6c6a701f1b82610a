import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { addDays, startOfWeek, type Day } from '../../lib/dates.js';

interface DayGridOptions {
  /** The day that the calendar is about. */
  day: Day;
  /** Whether a day stands in the grid. */
  holds: (day: Day) => boolean;
  /** The day so many periods further on. */
  step: (from: Day, periods: number) => Day;
  /** A day by a tap or Enter. */
  onOpen: (day: Day) => void;
  /** The calendar has to be about another period for this day to be seen. */
  onLeave: (day: Day) => void;
}

const keys: Record<string, (day: Day, step: DayGridOptions['step']) => Day> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: startOfWeek,
  End: (day) => addDays(startOfWeek(day), 6),
  PageUp: (day, step) => step(day, -1),
  PageDown: (day, step) => step(day, 1),
};

/**
 * A grid of days, marked by `data-day`, of which one is in the order of the Tab key: arrows go by days and weeks, Page Up and
 * Page Down by periods, Enter opens.
 */
export function useDayGrid({ day, holds, step, onOpen, onLeave }: DayGridOptions) {
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(day);
  const [about, setAbout] = useState(day);
  if (about !== day) {
    setAbout(day);
    setAt(day);
  }
  /** The focus follows what a key has chosen, once it is there. */
  const follows = useRef(false);
  useLayoutEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  }, [at]);

  const dayUnder = ({ target }: { target: EventTarget }) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-day]')?.dataset.day : undefined;

  return {
    at,
    props: {
      ref: grid,
      onClick: (event: MouseEvent) => {
        const clicked = dayUnder(event);
        if (clicked) onOpen(clicked);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const from = dayUnder(event);
        if (!from || event.altKey || event.ctrlKey || event.metaKey) return;
        const isOpening = event.key === 'Enter' || event.key === ' ';
        const to = isOpening ? from : keys[event.key]?.(from, step);
        if (!to) return;
        event.preventDefault();
        if (isOpening) {
          onOpen(from);
          return;
        }
        follows.current = to !== at;
        if (holds(to)) setAt(to);
        else onLeave(to);
      },
    },
  };
}
