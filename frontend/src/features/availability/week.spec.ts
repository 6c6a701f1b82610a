import { expect, it } from '@jest/globals';
import { countedWeek, hoursOf } from './week.js';

const open = (start_time: string, end_time: string) => ({ start_time, end_time, is_blocked: false });
const pause = (start_time: string, end_time: string) => ({ start_time, end_time, is_blocked: true });

it.each([
  [[open('06:00', '21:00'), pause('12:00', '13:00')], '6:00–21:00 · pausa 12–13'],
  [[open('14:00', '24:00'), open('06:30', '11:00')], '6:30–11:00, 14:00–24:00'],
  [
    [pause('12:30', '13:00'), open('06:00', '21:00'), pause('09:00', '10:00')],
    '6:00–21:00 · pausas 9–10, 12:30–13',
  ],
  [[open('06:00', '11:00'), open('', ''), pause('', '13:00')], '6:00–11:00'],
  [[pause('12:00', '13:00')], null],
  [[], null],
])('a day of %j reads "%s"', (rows, words) => {
  expect(hoursOf(rows)).toBe(words);
});

it('a week without open hours counts as open every day from 9:00 to 17:00, with its pauses', () => {
  const lunch = { day_of_week: 1, ...pause('12:00', '13:00') };
  const counted = countedWeek([lunch]);
  expect(counted).toHaveLength(8);
  expect(hoursOf(counted.filter(({ day_of_week }) => day_of_week === 1))).toBe('9:00–17:00 · pausa 12–13');
  const saturday = { day_of_week: 6, ...open('07:00', '13:00') };
  expect(countedWeek([saturday])).toEqual([saturday]);
});
