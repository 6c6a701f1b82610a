import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Backups of a rotation are named by their instant, so that their names sort by age. */
const NAME = /^rende-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;
const PART = /^rende-\d{8}T\d{6}Z\.backup\.part$/;
const DAY_MS = 24 * 60 * 60_000;

/** The name of a backup made at an instant: `rende-20270131T063000Z.backup`. */
export function nameAt(instant: Date): string {
  return `rende-${instant.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
}

/** When a backup of this name was made; undefined for names that are not of a rotation. */
function instantOf(name: string): Date | undefined {
  const parts = NAME.exec(name);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    ...[number, number, number, number, number, number],
  ];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/**
 * The files to remove: all backups but the newest `keep`, and unfinished files of killed runs after a day. Files that
 * the rotation did not name are never removed.
 */
export function outdated(names: readonly string[], keep: number, now: Date): string[] {
  const backups = names.filter((name) => instantOf(name)).sort();
  const yesterday = `${nameAt(new Date(now.getTime() - DAY_MS))}.part`;
  const unfinished = names.filter((name) => PART.test(name) && name < yesterday);
  return [...backups.slice(0, Math.max(0, backups.length - keep)), ...unfinished];
}

/** Removes the backups of a folder except the newest `keep`. Returns the names of the removed ones. */
export async function rotate(folder: string, keep: number, now: Date): Promise<string[]> {
  const removed = outdated(await readdir(folder), keep, now);
  for (const name of removed) await rm(path.join(folder, name), { force: true });
  return removed;
}

/** When the newest backup of a folder was made; undefined where there is none. */
export async function newestIn(folder: string): Promise<Date | undefined> {
  const newest = (await readdir(folder))
    .filter((name) => instantOf(name))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : instantOf(newest);
}

/** The last instant up to now at which the local clock showed this time of day. */
export function lastAt(hour: number, minute: number, now: Date): Date {
  const today = new Date(now);
  today.setHours(hour, minute, 0, 0);
  if (today <= now) return today;
  today.setDate(today.getDate() - 1);
  today.setHours(hour, minute, 0, 0);
  return today;
}
