import { describe, expect, it } from '@jest/globals';
import {
  decideConfirm,
  decidePrepare,
  decideSent,
  decideUnsent,
  reminder,
  type ReminderEvent,
} from './reminder.js';

const about = { reminder_id: 'r', session_id: 's', student_id: 'ana', inicio: '2026-11-10T10:00:00.000Z' };
const prepared: ReminderEvent = {
  type: 'ReminderPrepared',
  data: { ...about, token_hash: 'aa', por_email: false },
};
const session = { status: 'agendada', deleted: false, student_id: 'ana', inicio: about.inicio };
const before = new Date('2026-11-09T21:00:00.000Z');
const given = (...events: ReminderEvent[]) =>
  events.reduce((state, event) => reminder.evolve(state, event), reminder.initialState);
const prepare = (state: ReturnType<typeof given>, of: object | undefined = session, now = before) =>
  decidePrepare(state, of as never, prepared.data, now);

describe('a reminder', () => {
  it('is prepared once', () => {
    expect(prepare(given())).toEqual([prepared]);
    expect(prepare(given(prepared))).toEqual([]);
  });

  it.each([
    { ...session, status: 'cancelada' },
    { ...session, deleted: true },
    { ...session, inicio: '2026-11-10T11:00:00.000Z' },
    { ...session, student_id: 'bia' },
  ])('is not prepared, and not confirmed by its link, if the session has changed: %j', (changed) => {
    expect(prepare(given(), changed)).toEqual([]);
    expect(() => decideConfirm(given(prepared), changed, before)).toThrow('reminders.session_changed');
  });

  it('is not prepared, and not confirmed, once the session has begun', () => {
    expect(prepare(given(), session, new Date(about.inicio))).toEqual([]);
    expect(() => decideConfirm(given(prepared), session, new Date(about.inicio))).toThrow('reminders.over');
  });

  it('is confirmed once', () => {
    const confirmed = decideConfirm(given(prepared), session, before);
    expect(confirmed).toEqual([{ type: 'ReminderConfirmed', data: about }]);
    expect(decideConfirm(given(prepared, ...confirmed), session, before)).toEqual([]);
    expect(() => decideConfirm(given(), session, before)).toThrow('reminders.not_found');
  });

  it('is marked as sent and unsent', () => {
    const sent = decideSent(given(prepared));
    expect(decideSent(given(prepared, ...sent))).toEqual([]);
    expect(decideUnsent(given(prepared, ...sent))).toEqual([{ type: 'ReminderUnsent', data: about }]);
    expect(decideUnsent(given(prepared))).toEqual([]);
  });
});
