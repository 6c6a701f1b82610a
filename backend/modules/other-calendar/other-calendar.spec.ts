import { expect, it } from '@jest/globals';
import {
  decideLink,
  decideRelink,
  decideReport,
  decideUnlink,
  otherCalendar,
  type OtherCalendarEvent,
} from './other-calendar.js';

const given = (...events: OtherCalendarEvent[]) =>
  events.reduce((state, event) => otherCalendar.evolve(state, event), otherCalendar.initialState);
const linked: OtherCalendarEvent = {
  type: 'OtherCalendarLinked',
  data: { calendar_id: 'one', link_ics: 'https://a.example/x.ics' },
};
const unlinked: OtherCalendarEvent = { type: 'OtherCalendarUnlinked', data: { calendar_id: 'one' } };

it('is connected once, and replaced by another', () => {
  expect(decideLink(given(), 'one', 'https://a.example/x.ics')).toEqual([linked]);
  expect(decideLink(given(linked), 'two', 'https://a.example/x.ics')).toEqual([]);
  expect(decideLink(given(linked), 'two', 'https://b.example/')).toMatchObject([
    { data: { calendar_id: 'two' } },
  ]);
});

it('is disconnected, and restored', () => {
  expect(decideUnlink(given())).toEqual([]);
  expect(decideUnlink(given(linked))).toEqual([unlinked]);
  expect(decideRelink(given(linked, unlinked))).toEqual([linked]);
  expect(decideRelink(given(linked))).toEqual([]);
  expect(() => decideRelink(given())).toThrow('other_calendar.none');
});

it('is reported once when it cannot be read, and once when it can again', () => {
  const since = '2026-11-01T10:00:00.000Z';
  const stopped: OtherCalendarEvent = {
    type: 'OtherCalendarStopped',
    data: { calendar_id: 'one', desde: since },
  };
  expect(decideReport(given(linked), 'one', null)).toEqual([]);
  expect(decideReport(given(linked), 'one', since)).toEqual([stopped]);
  expect(decideReport(given(linked, stopped), 'one', since)).toEqual([]);
  const [resumed] = decideReport(given(linked, stopped), 'one', null);
  expect(resumed).toEqual({ type: 'OtherCalendarResumed', data: { calendar_id: 'one' } });
  expect(decideReport(given(linked, stopped, resumed!), 'one', since)).toEqual([stopped]);
  expect(decideReport(given(linked, unlinked), 'one', since)).toEqual([]);
  expect(decideReport(given(linked), 'former', since)).toEqual([]);
});
