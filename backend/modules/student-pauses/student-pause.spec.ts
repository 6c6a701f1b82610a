import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decidePause,
  decideResume,
  isPausedOn,
  studentPause,
  type StudentPauseEvent,
} from './student-pause.js';

const student_id = '5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e';
const running = ['lot-1', 'lot-2'];
const at = (today: string) => ({ today, running });
const paused = (ate: string): StudentPauseEvent => ({
  type: 'StudentPaused',
  data: { student_id, desde: '2030-01-10', ate, lotes: running },
});
const resumed = (ate: string): StudentPauseEvent => ({ type: 'StudentResumed', data: { student_id, ate } });

describe('a pause', () => {
  it('begins today, and extends credits by its number of days', () => {
    const decided = decidePause(undefined, { student_id, ate: '2030-01-19' }, at('2030-01-10'));
    expect(decided).toEqual({ events: [paused('2030-01-19')], lotes: running, dias: 10 });
    const state = given(studentPause, ...decided.events);
    expect(
      ['2030-01-09', '2030-01-10', '2030-01-19', '2030-01-20'].map((day) => isPausedOn(state, day)),
    ).toEqual([...[false, true, true, false]]);
  });

  it('can get another end, which moves the expiry of the same lots by the difference', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const moved = (ate: string) =>
      decidePause(state, { student_id, ate }, { today: '2030-01-12', running: ['lot-3'] });
    expect(moved('2030-01-21')).toEqual({ events: [paused('2030-01-21')], lotes: running, dias: 2 });
    expect(moved('2030-01-12')).toMatchObject({ lotes: running, dias: -7 });
    expect(moved('2030-01-19').events).toEqual([]);
  });

  it('can end early, which takes back the remaining days including today, and can begin again', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const over = decideResume(state, student_id, '2030-01-12');
    expect(over).toEqual({ events: [resumed('2030-01-11')], lotes: running, dias: -8 });
    const after = given(studentPause, paused('2030-01-19'), ...over.events);
    expect(decidePause(after, { student_id, ate: '2030-01-19' }, at('2030-01-12')).dias).toBe(8);
    expect(() => decideResume(after, student_id, '2030-01-12')).toThrow(
      expect.objectContaining({ code: 'student_pauses.not_paused' }),
    );
  });

  it('that ended on its first day does not count', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const over = decideResume(state, student_id, '2030-01-10');
    expect(over.dias).toBe(-10);
    expect(isPausedOn(given(studentPause, paused('2030-01-19'), ...over.events), '2030-01-10')).toBe(false);
  });

  it.each(['2030-01-09', '2031-01-11'])('does not end on %s', (ate) => {
    expect(() => decidePause(undefined, { student_id, ate }, at('2030-01-10'))).toThrow(
      expect.objectContaining({ code: 'student_pauses.wrong_end' }),
    );
  });
});
