import { describe, expect, it } from '@jest/globals';
import { zoneNames } from '../../../backend/modules/settings/settings.api.js';
import {
  completeDate,
  addMinutes,
  addMonths,
  dayOf,
  daysLeftIn,
  formatDay,
  dueDay,
  whenDay,
  formatMoment,
  instantOf,
  momentOf,
  parseDate,
  parseTime,
  startOfWeek,
  timeOf,
  weekOf,
  formatZone,
  writtenMoment,
} from './dates.js';

const SAO_PAULO = 'America/Sao_Paulo';

describe("dates in the tenant's zone", () => {
  it('keeps a late evening on its own day, whatever the day in UTC', () => {
    expect(dayOf('2026-11-27T01:30:00.000Z', SAO_PAULO)).toBe('2026-11-26');
    expect(timeOf('2026-11-27T01:30:00.000Z', SAO_PAULO)).toBe('22:30');
  });

  it('finds the instant of a wall-clock time and back', () => {
    const instant = instantOf('2026-11-26', '07:00', SAO_PAULO);
    expect(instant).toBe('2026-11-26T10:00:00.000Z');
    expect([dayOf(instant, SAO_PAULO), timeOf(instant, SAO_PAULO)]).toEqual(['2026-11-26', '07:00']);
    expect(instantOf('2026-11-26', '07:00', 'America/Rio_Branco')).toBe('2026-11-26T12:00:00.000Z');
  });

  it('begins the week on Sunday', () => {
    expect(startOfWeek('2026-11-26')).toBe('2026-11-22');
    expect(weekOf('2026-11-22')[6]).toBe('2026-11-28');
  });

  it('stays within the month when the months have different lengths', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  });

  it('counts the remaining days of a month', () => {
    expect(daysLeftIn('2026-11', '2026-11-26')).toBe(4);
    expect(daysLeftIn('2026-10', '2026-11-26')).toBe(0);
    expect(daysLeftIn('2026-12', '2026-11-26')).toBe(31);
  });

  it('ends a session within its day', () => {
    expect(addMinutes('07:30', 60)).toBe('08:30');
    expect(addMinutes('23:30', 60)).toBe('23:59');
  });
});

describe('dates in everyday words', () => {
  it('are hoje, amanhã and ontem, and weekdays otherwise', () => {
    expect(formatDay('2026-11-26', '2026-11-26')).toBe('hoje');
    expect(formatDay('2026-11-27', '2026-11-26')).toBe('amanhã');
    expect(formatDay('2026-11-25', '2026-11-26')).toBe('ontem');
    expect(formatDay('2026-11-26', '2026-11-01')).toBe('qui., 26 de nov.');
    expect(formatDay('2027-01-01', '2026-11-26')).toContain('2027');
    expect(whenDay('2026-11-27', '2026-11-26')).toBe('amanhã');
    expect(whenDay('2026-11-26', '2026-11-01')).toBe('em qui., 26 de nov.');
    expect(dueDay('2026-11-26', '2026-11-26')).toBe('vence hoje');
    expect(dueDay('2026-11-16', '2026-11-26')).toBe('venceu seg., 16 de nov.');
  });

  it('have times without a leading zero', () => {
    expect(formatMoment('2026-11-26T10:00:00.000Z', SAO_PAULO, new Date('2026-11-26T03:30:00.000Z'))).toBe(
      'hoje, 7:00',
    );
    expect(formatMoment('2026-11-26T10:00:00.000Z', SAO_PAULO, new Date('2026-11-26T02:30:00.000Z'))).toBe(
      'amanhã, 7:00',
    );
  });
});

describe('typed dates and times', () => {
  it.each([
    ['26/11/2026', '2026-11-26'],
    ['26112026', '2026-11-26'],
    ['2026-11-26', '2026-11-26'],
    ['31/02/2026', null],
    ['26/11/26', null],
    ['', null],
  ])('reads %j as %j', (typed, day) => {
    expect(parseDate(typed)).toBe(day);
  });

  it.each([
    ['1/2/2026', '2026-02-01'],
    ['25/12/26', '2026-12-25'],
    ['1/2/36', '2036-02-01'],
    ['1/2/37', '1937-02-01'],
    ['9/8/85', '1985-08-09'],
    ['31/2/26', null],
    ['1/2/6', null],
    ['25/12', null],
  ])('completes %j to %j', (typed, day) => {
    expect(completeDate(typed, new Date('2026-11-22T12:00:00Z'))).toBe(day);
  });

  it.each([
    ['7', '07:00'],
    ['07:00', '07:00'],
    ['7h30', '07:30'],
    ['0730', '07:30'],
    ['730', '07:30'],
    ['24:00', null],
    ['7:75', null],
    ['sete', null],
  ])('reads %j as %j', (typed, time) => {
    expect(parseTime(typed)).toBe(time);
  });
});

it('there is a name for every zone of a tenant', () => {
  expect(Object.keys(zoneNames).map(formatZone)).toEqual([
    'horário de Fernando de Noronha',
    'horário de Brasília',
    'horário de Brasília',
    'horário de Brasília',
    'horário do Amazonas',
    'horário do Amazonas',
    'horário do Acre',
  ]);
});

describe('a past moment in an address', () => {
  it('a day is meant at its end, in the zone of the trainer', () => {
    const moment = momentOf('2026-12-10', SAO_PAULO)!;
    expect(moment.at).toBe('2026-12-11T02:59:59.999Z');
    expect(writtenMoment(moment)).toBe('10 de dezembro de 2026');
  });

  it('a time of a day is meant to the minute', () => {
    const moment = momentOf('2026-12-10T09:30', SAO_PAULO)!;
    expect(moment.at).toBe('2026-12-10T12:30:00.000Z');
    expect(writtenMoment(moment)).toBe('10 de dezembro de 2026, 9:30');
  });

  it('an instant is meant to the millisecond', () => {
    const moment = momentOf('2026-12-10T12:30:12.345Z', SAO_PAULO)!;
    expect(moment).toMatchObject({ at: '2026-12-10T12:30:12.345Z', day: '2026-12-10', time: '09:30' });
    expect(writtenMoment(moment)).toBe('10 de dezembro de 2026, 9:30');
  });

  it.each([null, '', 'ontem', '2026-02-31', '2026-12-10T25:00', '2026-12-10T', 'outroZ'])(
    '%s is no moment',
    (em) => {
      expect(momentOf(em, SAO_PAULO)).toBeNull();
    },
  );
});
