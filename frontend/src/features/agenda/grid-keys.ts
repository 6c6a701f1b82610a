import type { KeyboardEvent } from 'react';

/** Keeps one session in the tab order, the last focused or else the first one; the others are reached by arrow keys. */
export function keepInTabOrder(area: HTMLElement | null, reached?: HTMLElement) {
  const before = area?.querySelector<HTMLElement>('[data-column] [data-session][tabindex="0"]');
  const next = reached ?? before ?? area?.querySelector<HTMLElement>('[data-column] [data-session]');
  if (before && before !== next) before.tabIndex = -1;
  if (next) next.tabIndex = 0;
}

/** Moves the focus: up and down within the day, left and right to the nearest session of another day. */
export function goByArrows(event: KeyboardEvent<HTMLElement>) {
  const { key, currentTarget, target } = event;
  if (!key.startsWith('Arrow') || !(target instanceof HTMLElement)) return;
  if (!target.matches('[data-column] [data-session]')) return;
  const columns = [...currentTarget.querySelectorAll('[data-column]')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-session]')])
    .filter((ofDay) => ofDay.length > 0);
  const at = columns.findIndex((ofDay) => ofDay.includes(target));
  const next =
    key === 'ArrowUp' || key === 'ArrowDown'
      ? beside(columns[at] ?? [], target, key)
      : nearest(columns[at + (key === 'ArrowLeft' ? -1 : 1)] ?? [], target);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const beside = (ofDay: readonly HTMLElement[], target: HTMLElement, key: string) =>
  ofDay[ofDay.indexOf(target) + (key === 'ArrowUp' ? -1 : 1)];

function nearest(ofDay: readonly HTMLElement[], target: HTMLElement): HTMLElement | undefined {
  const distance = (element: HTMLElement) =>
    Math.abs(element.getBoundingClientRect().top - target.getBoundingClientRect().top);
  return ofDay.toSorted((one, other) => distance(one) - distance(other))[0];
}
