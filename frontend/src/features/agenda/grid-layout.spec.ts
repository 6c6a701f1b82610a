import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import {
  bandsOf,
  foldOf,
  endedAt,
  heightOf,
  hourHeight,
  minuteAt,
  movedTo,
  partsByDay,
  sideBySide,
  topOf,
  type Stretch,
} from './grid-layout.js';

const ZONE = 'America/Sao_Paulo';
const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const stretch = (start: string, end: string): Stretch => ({ start: at(start), end: at(end) });
const stretches = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 1425 }), fc.integer({ min: 1, max: 360 }))
    .map(([start, length]) => ({ start, end: Math.min(start + length, 1440) })),
  { maxLength: 40 },
);
const overlap = (one: Stretch, other: Stretch) => one.start < other.end && other.start < one.end;

function session(inicio: string, fim: string): Session {
  return {
    id: inicio,
    student_id: 's',
    student_nome: 'Ana',
    location_id: null,
    location_nome: null,
    serie_id: null,
    ocorrencia: null,
    grupo_id: null,
    turma: null,
    servico: null,
    inicio,
    fim,
    status: 'agendada',
    confirmado: true,
    observacoes: null,
    motivo: null,
    usou_credito: false,
    sem_credito: false,
    valor: null,
    taxa: 0,
  };
}

describe('the sessions of days', () => {
  const part = (first: string, last: string) => {
    const found = partsByDay(
      [session(instantOf('2026-11-26', first, ZONE), instantOf(last.slice(0, 10), last.slice(11), ZONE))],
      ['2026-11-26', '2026-11-27'],
      ZONE,
    );
    return [...found].map(([day, parts]) => [
      day,
      parts.map(({ start, end, continues }) => [start, end, continues]),
    ]);
  };

  it('are in their day, with their minutes', () => {
    expect(part('07:15', '2026-11-26 08:00')).toEqual([
      ['2026-11-26', [[435, 480, false]]],
      ['2026-11-27', []],
    ]);
  });

  it('are in both days if they run over midnight', () => {
    expect(part('23:30', '2026-11-27 00:30')).toEqual([
      ['2026-11-26', [[1410, 1440, false]]],
      ['2026-11-27', [[0, 30, true]]],
    ]);
  });
});

describe('sessions side by side', () => {
  const columns = (...items: Stretch[]) =>
    sideBySide(items, 3).placed.map(({ column, columns: of }) => `${column + 1}/${of}`);

  it('have the whole width if they do not overlap, even if one directly follows another', () => {
    expect(columns(stretch('07:00', '08:00'), stretch('08:00', '09:00'))).toEqual(['1/1', '1/1']);
  });

  it('share the width if they overlap, and reuse a column that has become free', () => {
    expect(columns(stretch('07:00', '09:00'), stretch('07:30', '08:00'), stretch('08:00', '08:30'))).toEqual([
      '1/2',
      '2/2',
      '2/2',
    ]);
  });

  it('are counted in the last column if there are too many', () => {
    const { placed, crowds } = sideBySide(
      Array.from({ length: 5 }, () => stretch('07:00', '08:00')),
      3,
    );
    expect(placed.map(({ column }) => column)).toEqual([0, 1]);
    expect(crowds).toEqual([{ ...stretch('07:00', '08:00'), count: 3, column: 2, columns: 3 }]);
  });

  it('never cover each other, never exceed the maximum of columns, and are never lost', () => {
    fc.assert(
      fc.property(stretches, fc.integer({ min: 2, max: 6 }), (items, most) => {
        const { placed, crowds } = sideBySide(items, most);
        expect(placed.length + crowds.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
        const all = [...placed, ...crowds];
        for (const { column, columns: of } of all) {
          expect(column).toBeLessThan(of);
          expect(of).toBeLessThanOrEqual(most);
        }
        all.forEach((one, index) => {
          for (const other of all.slice(index + 1).filter((each) => overlap(one, each))) {
            expect(other.columns).toBe(one.columns);
            expect(other.column).not.toBe(one.column);
          }
        });
      }),
    );
  });

  it('need no more columns than there are sessions at one moment', () => {
    fc.assert(
      fc.property(stretches, (items) => {
        const { placed } = sideBySide(items, Infinity);
        const atOnce = items.map(
          ({ start }) => items.filter((one) => one.start <= start && start < one.end).length,
        );
        expect(Math.max(0, ...placed.map(({ columns: of }) => of))).toBe(Math.max(0, ...atOnce));
      }),
    );
  });
});

describe('the rows of the grid', () => {
  const rows = (items: Stretch[], also?: number) =>
    bandsOf(items, 60, also).map(({ from, to, open }) => `${from / 60}-${to / 60}${open ? '' : ' livre'}`);

  it('are the hours with sessions; those between them are one row', () => {
    expect(rows([stretch('07:30', '08:30'), stretch('18:00', '19:00')])).toEqual([
      '6-7 livre',
      '7-8',
      '8-9',
      '9-18 livre',
      '18-19',
      '19-22 livre',
    ]);
  });

  it('include the current hour, also at night', () => {
    expect(rows([], 10)).toEqual(['6-10 livre', '10-11', '11-22 livre']);
    expect(rows([], 3)).toEqual(['3-4', '4-22 livre']);
    expect(rows([], 22)).toEqual(['6-22 livre', '22-23']);
  });

  it('extend beyond 06 and 22 for a session outside', () => {
    expect(rows([stretch('04:30', '05:00'), stretch('23:00', '24:00')])).toEqual([
      '4-5',
      '5-23 livre',
      '23-24',
    ]);
  });

  it('are contiguous, and have each session in open hours', () => {
    fc.assert(
      fc.property(stretches, (items) => {
        const bands = bandsOf(items, hourHeight(items));
        bands.slice(1).forEach((band, index) => {
          expect(band.from).toBe(bands[index]!.to);
          expect(band.top).toBe(bands[index]!.top + bands[index]!.height);
        });
        for (const item of items)
          for (const band of bands.filter(({ from, to }) => overlap(item, { start: from, end: to })))
            expect(band.open).toBe(true);
        for (const { start, end } of items) {
          expect(start).toBeGreaterThanOrEqual(bands[0]!.from);
          expect(end).toBeLessThanOrEqual(bands.at(-1)!.to);
        }
      }),
    );
  });

  it('map minutes to positions, and positions back to minutes', () => {
    fc.assert(
      fc.property(stretches, fc.integer({ min: 6 * 60, max: 22 * 60 }), (items, minute) => {
        const bands = bandsOf(items, hourHeight(items));
        expect(minuteAt(topOf(minute, bands), bands)).toBeCloseTo(minute, 6);
      }),
    );
  });

  it('show a session in proportion to its length', () => {
    const bands = bandsOf([stretch('07:15', '08:45')], 60);
    expect(topOf(at('08:45'), bands) - topOf(at('07:15'), bands)).toBe(90);
    expect(topOf(at('23:00'), bands)).toBe(heightOf(bands));
  });

  it('are higher for short sessions, up to a limit', () => {
    const px = (end: string) => hourHeight([stretch('07:00', end)]);
    expect([px('08:00'), px('07:45'), px('07:30'), px('07:15')]).toEqual([52, 62, 92, 96]);
  });
});

describe('a session that is dragged', () => {
  it('keeps its length, begins at a quarter of an hour, and stays within the day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1080 }),
        fc.integer({ min: 15, max: 360 }),
        fc.integer({ min: -500, max: 2000 }),
        (start, length, minute) => {
          const moved = movedTo({ start, end: start + length }, minute);
          expect(moved.end - moved.start).toBe(length);
          expect(moved.start % 15).toBe(0);
          expect(moved.start).toBeGreaterThanOrEqual(0);
          expect(moved.end).toBeLessThan(1440);
        },
      ),
    );
    expect(movedTo(stretch('07:00', '08:00'), at('09:07'))).toEqual(stretch('09:00', '10:00'));
  });

  it('ends at a quarter of an hour, from 15 minutes to six hours after its start', () => {
    const ended = (time: string) => endedAt(stretch('07:00', '08:00'), at(time)).end;
    expect([ended('08:38'), ended('06:00'), ended('20:00')]).toEqual([at('08:45'), at('07:15'), at('13:00')]);
    expect(endedAt(stretch('22:00', '23:00'), at('24:00')).end).toBe(at('23:45'));
  });
});

describe('folded hours', () => {
  const band = { from: 10 * 60, to: 14 * 60 };
  const hours = (from: number, to: number) => ({ start: from * 60, end: to * 60 });
  const open = { closed: [hours(0, 8)], blocked: [] };
  const shut = { closed: [hours(0, 12)], blocked: [hours(12, 15)] };

  it('are free if they are on all of the days; days that differ have no text', () => {
    expect(foldOf(band, [open, open])).toEqual({ word: 'livre', about: [hours(10, 14)] });
    expect(foldOf(band, [open, shut])).toEqual({ word: '', about: [hours(10, 14)] });
    expect(foldOf(band, [open, { closed: [hours(13, 24)], blocked: [] }]).word).toBe('');
    expect(foldOf(band, [])).toEqual({ word: 'livre', about: [hours(10, 14)] });
  });

  it('are closed or blocked if they are on all days, and say why', () => {
    expect(foldOf(band, [shut, shut]).word).toBe('bloqueado');
    expect(foldOf(band, [shut, { closed: [hours(0, 24)], blocked: [] }]).word).toBe('bloqueado');
    expect(foldOf(band, [{ closed: [hours(9, 11), hours(11, 14)], blocked: [] }]).word).toBe(
      'fora do horário',
    );
  });

  it('for a single day, say which part is free', () => {
    const day = { closed: [hours(0, 11)], blocked: [hours(12, 13), hours(20, 21)] };
    expect(foldOf(band, [day])).toEqual({ word: 'livre', about: [hours(11, 12), hours(13, 14)] });
  });
});
