import { describe, expect, it } from '@jest/globals';
import {
  calendarFeed,
  type CalendarFeedEvent,
  decideRenew,
  decideRestore,
  decideRevoke,
  decideSet,
} from './calendar-feed.js';
import {
  decideOpenOwn,
  decideRenewOwn,
  decideRestoreOwn,
  decideRevokeOwn,
  studentCalendar,
  type StudentCalendarEvent,
} from './student-calendar.js';

const one = { feed_id: 'one', token_hash: 'aa' };
const two = { feed_id: 'two', token_hash: 'bb' };
const given = (...events: CalendarFeedEvent[]) =>
  events.reduce((state, event) => calendarFeed.evolve(state, event), calendarFeed.initialState);
const opened: CalendarFeedEvent = { type: 'CalendarFeedOpened', data: { ...one, com_nomes: true } };

describe('the address of the calendar', () => {
  it('is opened once; opening it again only changes what it shows', () => {
    expect(decideSet(given(), one, { com_nomes: true })).toEqual([opened]);
    expect(decideSet(given(opened), two, { com_nomes: true })).toEqual([]);
    expect(decideSet(given(opened), two, { com_nomes: false })).toEqual([
      { type: 'CalendarFeedChanged', data: { feed_id: 'one', com_nomes: false } },
    ]);
  });

  it('keeps its setting when it is renewed, and is not renewed while it is off', () => {
    const renewed: CalendarFeedEvent = { type: 'CalendarFeedOpened', data: { ...two, com_nomes: true } };
    expect(decideRenew(given(opened), two)).toEqual([renewed]);
    expect(() => decideRenew(given(), two)).toThrow('calendar_feed.off');
  });

  it('can be restored after it was renewed or revoked, unlike unknown addresses', () => {
    const revoked = given(opened, ...decideRevoke(given(opened)));
    expect(revoked.current).toBeNull();
    const restored = decideRestore(revoked, { id: 'one' });
    expect(given(opened, ...decideRevoke(given(opened)), ...restored).current).toEqual({
      ...one,
      com_nomes: true,
    });
    expect(decideRestore(given(opened, ...decideRenew(given(opened), two)), { id: 'one' })).toEqual(restored);
    expect(decideRestore(given(opened), { id: 'one' })).toEqual([]);
    expect(() => decideRestore(given(opened), { id: 'two' })).toThrow('calendar_feed.not_found');
  });

  it('refuses a change or an undo that was decided for another link, or one that was revoked meanwhile', () => {
    const changed = expect.objectContaining({ code: 'calendar_feed.changed' });
    const revoked = given(opened, ...decideRevoke(given(opened)));
    expect(() => decideSet(revoked, two, { com_nomes: false, id: 'one' })).toThrow(changed);
    expect(decideSet(given(opened), two, { com_nomes: false, id: 'one' })).toHaveLength(1);

    const renewal = [opened, ...decideRenew(given(opened), two)];
    const renewed = given(...renewal);
    expect(() => decideSet(renewed, two, { com_nomes: false, id: 'one' })).toThrow(changed);
    const renewedAndRevoked = given(...renewal, ...decideRevoke(renewed));
    const undo = { id: 'one', no_lugar_de: 'two' };
    expect(decideRestore(renewed, undo)).toHaveLength(1);
    expect(() => decideRestore(renewedAndRevoked, undo)).toThrow(changed);
    expect(decideRestore(revoked, { id: 'one', no_lugar_de: null })).toHaveLength(1);
    expect(() => decideRestore(renewed, { id: 'one', no_lugar_de: null })).toThrow(changed);
    const activation = { id: null, no_lugar_de: 'one' };
    expect(decideRestore(given(opened), activation)).toEqual(decideRevoke(given(opened)));
    expect(() => decideRestore(renewed, activation)).toThrow(changed);
    expect(decideRestore(revoked, activation)).toEqual([]);
  });
});

describe("the address of a student's calendar", () => {
  const of = (...events: StudentCalendarEvent[]) =>
    events.reduce((state, event) => studentCalendar.evolve(state, event), studentCalendar.initialState);
  const first: StudentCalendarEvent = { type: 'StudentCalendarOpened', data: { student_id: 'ana', ...one } };
  const second: StudentCalendarEvent = { type: 'StudentCalendarOpened', data: { student_id: 'ana', ...two } };

  it('is opened once, and renewed only while it is on', () => {
    expect(decideOpenOwn(of(), 'ana', one)).toEqual([first]);
    expect(decideOpenOwn(of(first), 'ana', two)).toEqual([]);
    expect(decideRenewOwn(of(first), 'ana', two)).toEqual([second]);
    expect(() => decideRenewOwn(of(), 'ana', two)).toThrow('calendar_feed.off');
  });

  it('is revoked once, and can be restored', () => {
    const revoked = decideRevokeOwn(of(first), 'ana');
    expect(revoked).toEqual([
      { type: 'StudentCalendarRevoked', data: { student_id: 'ana', feed_id: 'one' } },
    ]);
    expect(decideRevokeOwn(of(first, ...revoked), 'ana')).toEqual([]);
    const restored: StudentCalendarEvent = {
      type: 'StudentCalendarRestored',
      data: { student_id: 'ana', ...one },
    };
    expect(decideRestoreOwn(of(first, ...revoked), 'ana', { id: 'one' })).toEqual([restored]);
    expect(decideRestoreOwn(of(first, second), 'ana', { id: 'one' })).toEqual([restored]);
    expect(decideRestoreOwn(of(first), 'ana', { id: 'one' })).toEqual([]);
    expect(decideRestoreOwn(of(first), 'ana', { id: null, no_lugar_de: 'one' })).toEqual(revoked);
    expect(() => decideRestoreOwn(of(first, second), 'ana', { id: null, no_lugar_de: 'one' })).toThrow(
      expect.objectContaining({ code: 'calendar_feed.changed' }),
    );
    expect(() => decideRestoreOwn(of(first), 'ana', { id: 'two' })).toThrow('calendar_feed.not_found');
  });
});
