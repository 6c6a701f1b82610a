import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  changedFrom,
  datesOf,
  daysAfter,
  firstOn,
  inWords,
  lastOf,
  type Pattern,
  type Stretch,
  termsOn,
} from './pattern.js';
import { localOf, timesOn, withRules } from './series.times.js';

const pattern: Pattern = { dias: [2, 4], intervalo: 1, inicio: '2026-11-24', ate: null };
const terms: Stretch = {
  desde: '2026-11-24',
  deslocamento: 0,
  hora: '07:00',
  duracao: 60,
  location_id: null,
  observacoes: null,
};

describe('the dates of a pattern', () => {
  it('are its weekdays in every week', () => {
    expect(datesOf(pattern, '2026-11-24', '2026-12-03')).toEqual([
      '2026-11-24',
      '2026-11-26',
      '2026-12-01',
      '2026-12-03',
    ]);
  });

  it('are its weekdays in every second week, from the first date’s week on', () => {
    const second = { ...pattern, dias: [0, 6], intervalo: 2, inicio: '2026-11-28' };
    expect(datesOf(second, '2026-01-01', '2026-12-31')).toEqual([
      '2026-11-28',
      '2026-12-06',
      '2026-12-12',
      '2026-12-20',
      '2026-12-26',
    ]);
  });

  const weekdays = fc.uniqueArray(fc.nat(6), { minLength: 1 });
  const day = fc.nat(900).map((days) => daysAfter('2026-01-01', days));

  it('are the same as checking every day finds', () => {
    fc.assert(
      fc.property(weekdays, fc.constantFrom(1, 2), day, day, day, (dias, intervalo, from, inicioAt, ate) => {
        const inicio = firstOn(inicioAt, dias);
        const weekday = (date: string) => new Date(`${date}T12:00:00Z`).getUTCDay();
        const sunday = (date: string) => Date.parse(daysAfter(date, -weekday(date)));
        const expected: string[] = [];
        for (let date = '2026-01-01'; date < '2030-01-01'; date = daysAfter(date, 1)) {
          const weeks = Math.round((sunday(date) - sunday(inicio)) / (7 * 86_400_000));
          const isIn = date >= inicio && date <= ate && date >= from && weeks % intervalo === 0;
          if (isIn && dias.includes(weekday(date))) expected.push(date);
        }
        expect(datesOf({ dias, intervalo, inicio, ate }, from, '2029-12-31')).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('end after the wanted number', () => {
    expect(lastOf(pattern, 1)).toBe('2026-11-24');
    expect(lastOf(pattern, 4)).toBe('2026-12-03');
    expect(lastOf({ ...pattern, intervalo: 2 }, 3)).toBe('2026-12-08');
  });
});

describe('the local time', () => {
  const newYork = 'America/New_York';
  const at = (date: string, hora: string, zone: string) => timesOn(date, { ...terms, hora }, zone);

  it('stays the same over a clock change', () => {
    expect(at('2027-03-09', '07:00', newYork).inicio).toBe('2027-03-09T12:00:00.000Z');
    expect(at('2027-03-16', '07:00', newYork).inicio).toBe('2027-03-16T11:00:00.000Z');
    expect(localOf('2027-03-16T11:00:00.000Z', newYork)).toEqual({ data: '2027-03-16', hora: '07:00' });
  });

  it('is the next existing one if it is skipped', () => {
    expect(at('2027-03-14', '02:30', newYork)).toEqual({
      inicio: '2027-03-14T07:00:00.000Z',
      fim: '2027-03-14T08:00:00.000Z',
    });
  });

  it('is the first instant if it occurs twice', () => {
    expect(at('2026-11-01', '01:30', newYork).inicio).toBe('2026-11-01T05:30:00.000Z');
  });

  it('is on the next day if the zone skips a whole day', () => {
    expect(at('2011-12-30', '08:00', 'Pacific/Apia').inicio).toBe('2011-12-30T10:00:00.000Z');
  });
});

describe('a change from a date on', () => {
  it('keeps earlier stretches, and applies to later stretches too', () => {
    const once = changedFrom([terms], '2026-12-01', { hora: '08:00' });
    const twice = changedFrom(once, '2026-12-08', { duracao: 90 });
    const all = changedFrom(twice, '2026-11-26', { deslocamento: 1 });
    expect(all.map(({ desde, deslocamento, hora, duracao }) => [desde, deslocamento, hora, duracao])).toEqual(
      [
        ['2026-11-24', 0, '07:00', 60],
        ['2026-11-26', 1, '07:00', 60],
        ['2026-12-01', 1, '08:00', 60],
        ['2026-12-08', 1, '08:00', 90],
      ],
    );
    expect(termsOn(all, '2026-12-03').hora).toBe('08:00');
  });

  it('adds no stretch if nothing differs', () => {
    const there = changedFrom([terms], '2026-12-01', { hora: '08:00' });
    expect(changedFrom(there, '2026-12-01', { hora: '07:00' })).toEqual([terms]);
  });
});

describe('as a rule', () => {
  const zone = 'America/Sao_Paulo';
  const rules = (of: Pattern, stretches: Stretch[]) =>
    withRules(of, stretches, zone).map(({ rrule }) => rrule);

  it('ends with its last session, or before the next stretch', () => {
    expect(rules(pattern, [terms])).toEqual(['FREQ=WEEKLY;BYDAY=TU,TH']);
    expect(
      rules({ ...pattern, ate: '2026-12-31' }, changedFrom([terms], '2026-12-01', { hora: '08:00' })),
    ).toEqual([
      'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261126T100000Z',
      'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T110000Z',
    ]);
  });

  it('has the moved days, in weeks that begin as many days later', () => {
    const moved = { ...terms, deslocamento: 1 };
    expect(rules({ ...pattern, dias: [4, 6], intervalo: 2 }, [moved])).toEqual([
      'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SU,FR',
    ]);
  });

  it.each([
    [[2, 4], 1, 0, 'toda terça e quinta, 7:00'],
    [[0], 1, 0, 'todo domingo, 7:00'],
    [[1, 3, 5], 1, 1, 'toda terça, quinta e sábado, 7:00'],
    [[2], 2, 0, 'a cada 2 semanas, terça, 7:00'],
    [[0, 1, 2, 3, 4, 5, 6], 1, 0, 'todo dia, 7:00'],
  ])('reads in words: %j', (dias, intervalo, deslocamento, words) => {
    expect(inWords({ dias, intervalo }, { deslocamento, hora: '07:00' })).toBe(words);
  });
});
