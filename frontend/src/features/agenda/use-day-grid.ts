import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { addDays, startOfWeek, type Day } from '../../lib/dates.js';

interface DayGridOptions {
  /** The chosen day. */
  day: Day;
  /** Whether a day is in the grid. */
  holds: (day: Day) => boolean;
  /** The day a number of periods later. */
  step: (from: Day, periods: number) => Day;
  /** Called for a day by a tap or Enter. */
  onOpen: (day: Day) => void;
  /** Called for a day that is in another period. */
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
 * A grid of days, marked by `data-day`, with one day in the tab order: arrow keys move by days and weeks, Page Up and Page Down
 * by periods, Enter opens.
 */
export function useDayGrid({ day, holds, step, onOpen, onLeave }: DayGridOptions) {
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(day);
  const [about, setAbout] = useState(day);
  if (about !== day) {
    setAbout(day);
    setAt(day);
  }
  /** Whether the focus moves to the day chosen by a key, once it is rendered. */
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
