import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import { dayRows, gapsBetween } from './day-rows.js';
import { partsByDay } from './grid-layout.js';

const ZONE = 'America/Sao_Paulo';
const DAY = '2026-11-26';

const session = (start: string, end: string, status: Session['status'] = 'agendada', day = DAY) =>
  ({ id: start, inicio: instantOf(day, start, ZONE), fim: instantOf(DAY, end, ZONE), status }) as Session;

/** `7:00 11:00–15:00 | 16:00`: sessions by start, gaps by both ends, `|` for now. */
const said = (sessions: Session[], when: Parameters<typeof dayRows>[1]) =>
  dayRows(partsByDay(sessions, [DAY], ZONE).get(DAY)!, when)
    .map((row) => {
      if (row.kind === 'now') return '|';
      if (row.kind === 'session') return row.session.id;
      return `${row.kind === 'blocked' ? row.label : ''}${row.at / 60}–${row.end / 60}`;
    })
    .join(' ');

const morning = session('07:00', '08:00');
const late = session('10:00', '11:00');
const afternoon = session('15:00', '16:00');

describe('the rows of a day', () => {
  it('are its sessions with the gaps between them', () => {
    const sessions = [morning, late, session('11:15', '12:00'), afternoon];
    expect(said(sessions, { isPast: false })).toBe('07:00 8–10 10:00 11:15 12–15 15:00');
  });

  it('offer no gap of a past day, and only future ones of today', () => {
    const sessions = [morning, late, afternoon];
    expect(said(sessions, { isPast: true })).toBe('07:00 10:00 15:00');
    expect(said(sessions, { isPast: false, now: '12:20' })).toBe('07:00 10:00 | 12.5–15 15:00');
    expect(said(sessions, { isPast: false, now: '14:40' })).toBe('07:00 10:00 | 15:00');
    expect(said(sessions, { isPast: false, now: '15:00' })).toBe('07:00 10:00 | 15:00');
  });

  it('show now at any hour, also after the last session of the evening', () => {
    expect(said([morning, late], { isPast: false, now: '22:46' })).toBe('07:00 10:00 |');
    expect(said([morning], { isPast: false, now: '05:59' })).toBe('| 07:00');
  });

  it('treat a cancelled session as free time, and show one from the night before, which is busy', () => {
    const gone = session('10:00', '11:00', 'cancelada');
    expect(said([morning, gone, afternoon], { isPast: false })).toBe('07:00 8–15 10:00 15:00');
    const night = session('23:00', '01:00', 'agendada', '2026-11-25');
    expect(said([night, morning], { isPast: false })).toBe('23:00 1–7 07:00');
  });
});

it('offer the server’s free times, from the next quarter of an hour on', () => {
  const free = [
    { start: 9 * 60, end: 10 * 60 },
    { start: 11 * 60, end: 15 * 60 },
    { start: 1000, end: 1020 },
  ];
  expect(said([morning, late], { isPast: false, free })).toBe('07:00 9–10 10:00 11–15');
  expect(said([morning], { isPast: false, free, now: '12:07' })).toBe('07:00 | 12.25–15');
  expect(said([morning], { isPast: true, free })).toBe('07:00');
});

it('show blocked times at their place', () => {
  const blocked = [{ start: 12 * 60, end: 13 * 60, label: 'Bloqueado ' }];
  const free = [{ start: 11 * 60, end: 12 * 60 }];
  expect(said([late, afternoon], { isPast: false, free, blocked })).toBe('10:00 11–12 Bloqueado 12–13 15:00');
});

describe('gaps', () => {
  it('are not within a session that overlaps others', () => {
    const long = { start: 60, end: 300 };
    expect(gapsBetween([long, { start: 90, end: 120 }, { start: 360, end: 400 }], 0)).toEqual([
      { start: 300, end: 360 },
    ]);
  });
});
