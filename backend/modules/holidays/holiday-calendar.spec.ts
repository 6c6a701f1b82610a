import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideSwitch, easter, type HolidayEvent, holidays, holidaysBetween } from './holiday-calendar.js';

const dates = (from: string, to: string, ...events: HolidayEvent[]) =>
  holidaysBetween(given(holidays, ...events), from, to)
    .filter(({ ativo }) => ativo)
    .map(({ data }) => data);

const added = (holiday_id: string, data: string, anual: boolean): HolidayEvent => ({
  type: 'HolidayAdded',
  data: { holiday_id, nome: 'Aniversário da cidade', data, anual },
});

describe('holidays', () => {
  it.each([
    [1961, '1961-04-02'],
    [2024, '2024-03-31'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
    [2285, '2285-03-22'],
  ])('begin with Easter, which is in %i on %s', (year, date) => {
    expect(new Date(easter(year)).toISOString().slice(0, 10)).toBe(date);
  });

  it('are the national ones by their rules', () => {
    expect(dates('2026-01-01', '2026-12-31')).toEqual([
      '2026-01-01',
      '2026-04-03',
      '2026-04-21',
      '2026-05-01',
      '2026-09-07',
      '2026-10-12',
      '2026-11-02',
      '2026-11-15',
      '2026-11-20',
      '2026-12-25',
    ]);
    expect(dates('2023-11-01', '2023-11-30')).toEqual(['2023-11-02', '2023-11-15']);
    expect(dates('2024-11-16', '2024-11-30')).toEqual(['2024-11-20']);
  });

  it('include Carnival and Corpus Christi if these are switched on', () => {
    const on = ['carnaval-segunda', 'carnaval-terca', 'corpus-christi'].map((holiday_id): HolidayEvent => ({
      type: 'HolidaySwitched',
      data: { holiday_id, ativo: true },
    }));
    expect(dates('2026-02-01', '2026-03-01', ...on)).toEqual(['2026-02-16', '2026-02-17']);
    expect(dates('2026-06-01', '2026-06-30', ...on)).toEqual(['2026-06-04']);
    expect(dates('2026-02-01', '2026-06-30')).not.toContain('2026-02-17');
  });

  it("include the trainer's own ones, once or in every year that has the date", () => {
    expect(dates('2027-01-02', '2028-02-28', added('one', '2027-01-25', true))).toContain('2028-01-25');
    expect(dates('2028-01-02', '2028-02-28', added('one', '2027-01-25', false))).toEqual([]);
    expect(dates('2027-01-02', '2028-03-01', added('one', '2024-02-29', true))).toEqual(
      expect.arrayContaining(['2028-02-29']),
    );
    expect(dates('2027-02-20', '2027-03-05', added('one', '2024-02-29', true))).toEqual([]);
  });

  it('leave out switched-off and removed ones, and include them again when they are switched on', () => {
    const off: HolidayEvent = { type: 'HolidaySwitched', data: { holiday_id: 'natal', ativo: false } };
    expect(dates('2026-12-01', '2026-12-31', off)).toEqual([]);
    const on = decideSwitch(given(holidays, off), 'natal', true);
    expect(given(holidays, off, ...on).ligados).toEqual({});
    const removed: HolidayEvent = { type: 'HolidayRemoved', data: { holiday_id: 'one' } };
    expect(dates('2027-01-20', '2027-01-30', added('one', '2027-01-25', true), removed)).toEqual([]);
  });

  it('record no switch of an unknown one, or without a change', () => {
    const state = given(holidays);
    expect(decideSwitch(state, 'natal', true)).toEqual([]);
    expect(() => decideSwitch(state, 'dia-do-personal', false)).toThrow(
      expect.objectContaining({ code: 'holidays.not_found' }),
    );
  });
});
