import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { lastAt, nameAt, newestIn, outdated, rotate } from './rotation.js';

const now = new Date('2027-01-31T06:30:00.123Z');
const daysAgo = (days: number) => nameAt(new Date(now.getTime() - days * 86_400_000));

it('names a backup by the instant at which it was made', () => {
  expect(nameAt(now)).toBe('rende-20270131T063000Z.backup');
});

it('keeps the newest backups, whatever the order of the folder', () => {
  const names = [daysAgo(1), daysAgo(3), daysAgo(0), daysAgo(2)];
  expect(outdated(names, 2, now)).toEqual([daysAgo(3), daysAgo(2)]);
  expect(outdated(names, 4, now)).toEqual([]);
  expect(outdated(names, 7, now)).toEqual([]);
});

it('removes no file that it did not name', () => {
  const others = [
    'rende.backup',
    'today.backup',
    'rende-20270101T000000Z.backup.old',
    'rende-2027.backup',
    'a',
  ];
  expect(outdated([...others, daysAgo(0)], 1, now)).toEqual([]);
});

it('removes unfinished files of killed runs after a day, and none that is being written', () => {
  const parts = [`${daysAgo(2)}.part`, `${daysAgo(0)}.part`];
  expect(outdated([...parts, daysAgo(1)], 7, now)).toEqual([parts[0]]);
});

it('deletes old backups from the folder, and returns the instant of the newest', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-rotation-'));
  try {
    expect(await newestIn(folder)).toBeUndefined();
    for (const name of ['list', daysAgo(0), daysAgo(1), daysAgo(2)])
      await writeFile(path.join(folder, name), '');
    expect(await rotate(folder, 2, now)).toEqual([daysAgo(2)]);
    expect((await readdir(folder)).sort()).toEqual(['list', daysAgo(1), daysAgo(0)].sort());
    expect(await newestIn(folder)).toEqual(new Date('2027-01-31T06:30:00Z'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('finds the last occurrence of a time of day, today or yesterday', () => {
  const at = (hour: number, minute: number) => new Date(2027, 0, 31, hour, minute);
  expect(lastAt(3, 30, at(3, 30))).toEqual(at(3, 30));
  expect(lastAt(3, 30, at(12, 0))).toEqual(at(3, 30));
  expect(lastAt(3, 30, at(3, 29))).toEqual(new Date(2027, 0, 30, 3, 30));
});
