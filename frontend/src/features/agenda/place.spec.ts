import { describe, expect, it } from '@jest/globals';
import { addressOf, columnsOf, daysShown, periodOf, placeIn, stepped, type Place } from './place.js';

const usual: Place = { mode: 'semana', day: '2026-11-22' };
const read = (search: string) => placeIn(new URLSearchParams(search), usual);

describe('the place of the calendar in the address', () => {
  it.each([
    ['modo=dia&dia=2026-12-01', { mode: 'dia', day: '2026-12-01' }],
    ['dia=2026-12-01', { mode: 'semana', day: '2026-12-01' }],
    ['modo=dia', { mode: 'dia', day: '2026-11-22' }],
    ['', usual],
    ['modo=seculo&dia=2026-02-30', usual],
    ['dia=1999-12-31', usual],
    ['dia=2100-01-01', usual],
    ['modo=mes', { mode: 'mes', day: '2026-11-22' }],
    ['modo=ano&dia=2027-01-01', { mode: 'ano', day: '2027-01-01' }],
    ['dia=%00', usual],
  ])('is read from "%s"', (search, place) => {
    expect(read(search)).toEqual(place);
  });

  it('leaves out defaults', () => {
    expect(addressOf(usual, usual)).toEqual({ modo: null, dia: null });
    expect(addressOf({ mode: 'dia', day: '2026-11-23' }, usual)).toEqual({ modo: 'dia', dia: '2026-11-23' });
  });

  it.each([
    ['dia', '2026-11-30', 1, '2026-12-01'],
    ['semana', '2026-11-22', -1, '2026-11-15'],
    ['mes', '2026-12-31', 2, '2027-02-28'],
    ['mes', '2026-03-31', -1, '2026-02-28'],
    ['ano', '2028-02-29', 1, '2029-02-28'],
    ['ano', '2026-11-22', -1, '2025-11-22'],
    ['dia', '2099-12-31', 1, '2099-12-31'],
    ['ano', '2099-06-01', 1, '2099-06-01'],
    ['semana', '2000-01-03', -1, '2000-01-03'],
  ] as const)('in mode %s moves from %s by %i to %s', (mode, day, periods, to) => {
    expect(stepped({ mode, day }, periods)).toBe(to);
  });

  it.each([
    ['dia', '2026-11-23', { from: '2026-11-23', to: '2026-11-23' }],
    ['semana', '2026-12-31', { from: '2026-12-27', to: '2027-01-02' }],
    ['mes', '2028-02-10', { from: '2028-02-01', to: '2028-02-29' }],
    ['ano', '2028-02-10', null],
  ] as const)('in mode %s about %s shows these days', (mode, day, days) => {
    expect(daysShown({ mode, day }, true)).toEqual(days);
  });

  it.each([
    ['dia', '2026-11-23', 'amanhã'],
    ['semana', '2026-11-28', 'Esta semana'],
    ['semana', '2026-12-03', '29/11 a 05/12/2026'],
    ['mes', '2026-11-01', 'novembro de 2026'],
    ['ano', '2027-03-01', '2027'],
  ] as const)('in mode %s calls %s "%s"', (mode, day, words) => {
    expect(periodOf({ mode, day }, '2026-11-22')).toBe(words);
  });

  it('shows three days of a week on a phone, from the chosen one on, and moves by as many', () => {
    const place: Place = { mode: 'semana', day: '2026-12-30' };
    expect(columnsOf(place, false)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01']);
    expect(daysShown(place, false)).toEqual({ from: '2026-12-30', to: '2027-01-01' });
    expect(periodOf(place, '2026-12-30', false)).toBe('30/12 a 01/01/2027');
    expect(stepped(place, 1, false)).toBe('2027-01-02');
    expect(stepped(place, -1, false)).toBe('2026-12-27');
    expect(stepped({ ...place, day: '2099-12-30' }, 1, false)).toBe('2099-12-30');
    expect(stepped({ ...place, mode: 'dia' }, 1, false)).toBe('2026-12-31');
  });
});
