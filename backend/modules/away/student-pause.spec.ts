import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decidePause,
  decideResume,
  hasNoSessionsOn,
  isPausedOn,
  pausesOf,
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
  it('begins today, and includes its last day', () => {
    const events = decidePause(undefined, { student_id, ate: '2030-01-19' }, at('2030-01-10'));
    expect(events).toEqual([paused('2030-01-19')]);
    const state = given(studentPause, ...events);
    expect(
      ['2030-01-09', '2030-01-10', '2030-01-19', '2030-01-20'].map((day) => isPausedOn(state, day)),
    ).toEqual([false, true, true, false]);
  });

  it('can get another end', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const moved = (ate: string) =>
      decidePause(state, { student_id, ate }, { today: '2030-01-12', running: ['lot-3'] });
    expect(moved('2030-01-21')).toEqual([paused('2030-01-21')]);
    expect(moved('2030-01-19')).toEqual([]);
    expect(pausesOf(given(studentPause, paused('2030-01-19'), ...moved('2030-01-12')))).toEqual([
      { desde: '2030-01-10', ate: '2030-01-12' },
    ]);
  });

  it('can end early, without today, and is remembered when another one begins', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const over = decideResume(state, { student_id }, '2030-01-12');
    expect(over).toEqual([resumed('2030-01-11')]);
    const after = given(studentPause, paused('2030-01-19'), ...over);
    const again = decidePause(after, { student_id, ate: '2030-01-19' }, at('2030-01-12'));
    expect(pausesOf(given(studentPause, paused('2030-01-19'), ...over, ...again))).toEqual([
      { desde: '2030-01-10', ate: '2030-01-11' },
      { desde: '2030-01-12', ate: '2030-01-19' },
    ]);
    expect(() => decideResume(after, { student_id }, '2030-01-12')).toThrow(
      expect.objectContaining({ code: 'student_pauses.not_paused' }),
    );
  });

  it('leaves no sessions up to the day that its last change gave, and is changed by that alone', () => {
    const of = (sem_sessoes_ate: string | null) => ({
      mudanca_id: 'change',
      sem_sessoes_ate,
      canceladas: [],
      reabertas: [],
    });
    const events = decidePause(
      given(studentPause, paused('2030-01-19')),
      { student_id, ate: '2030-01-19', cancelamento: of('2030-01-19') },
      at('2030-01-12'),
    );
    const state = given(studentPause, paused('2030-01-19'), ...events);
    const longer = { student_id, ate: '2030-01-25', cancelamento: of('2030-01-19') };
    const after = given(
      studentPause,
      paused('2030-01-19'),
      ...events,
      ...decidePause(state, longer, at('2030-01-12')),
    );
    expect(['2030-01-09', '2030-01-19', '2030-01-20'].map((day) => hasNoSessionsOn(after, day))).toEqual([
      false,
      true,
      false,
    ]);
    expect(decidePause(after, longer, at('2030-01-12'))).toEqual([]);
  });

  it('that ended on its first day does not count', () => {
    const state = given(studentPause, paused('2030-01-19'));
    const over = decideResume(state, { student_id }, '2030-01-10');
    expect(isPausedOn(given(studentPause, paused('2030-01-19'), ...over), '2030-01-10')).toBe(false);
  });

  it.each(['2030-01-09', '2031-01-11'])('does not end on %s', (ate) => {
    expect(() => decidePause(undefined, { student_id, ate }, at('2030-01-10'))).toThrow(
      expect.objectContaining({ code: 'student_pauses.wrong_end' }),
    );
  });
});
