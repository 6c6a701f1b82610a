import { expect, it } from '@jest/globals';
import { TZDate } from '@date-fns/tz';
import { addMinutes } from 'date-fns';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { datesOf, firstOn } from '../series/pattern.js';
import { calendarFile } from './calendar-file.ics.js';
import { type FiledSession, seriesEntries } from './series-file.queries.js';

/** The starts that an independent parser reads from the file. */
function startsOf(text: string): string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  const starts = calendar.getAllSubcomponents('vevent').flatMap((component) => {
    const found: string[] = [];
    const next = new ICAL.Event(component).iterator();
    for (let at = next.next(); at; at = next.next()) found.push(at.toJSDate().toISOString());
    return found;
  });
  return starts.toSorted();
}

const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 });

it('the file of a series contains exactly its sessions, for random zones and exceptions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        zone: fc.constantFrom(
          'America/Sao_Paulo',
          'America/New_York',
          'Europe/Lisbon',
          'Australia/Lord_Howe',
        ),
        dias: days.map((each) => each.toSorted((one, other) => one - other)),
        intervalo: fc.constantFrom(1, 2),
        hour: fc.integer({ min: 0, max: 23 }),
        from: fc.constantFrom('2026-09-15', '2026-10-28', '2027-02-20'),
        left: fc.array(fc.nat(99), { maxLength: 30 }),
        moved: fc.array(fc.nat(99), { maxLength: 5 }),
      }),
      async ({ zone, dias, intervalo, hour, from, left, moved }) => {
        const inicio = firstOn(from, dias);
        const terms = { deslocamento: 0, hora: '', duracao: 60, location_id: null, observacoes: null };
        const dates = datesOf({ dias, intervalo, inicio, ate: null }, inicio, '2027-12-31', 100);
        const sessions = dates.flatMap((ocorrencia, n): FiledSession[] => {
          if (left.includes(n)) return [];
          const [year, month, day] = ocorrencia.split('-').map(Number);
          const start = new Date(new TZDate(year!, month! - 1, day!, hour, 0, zone).getTime());
          const at = moved.includes(n) ? addMinutes(start, 90) : start;
          return [
            {
              id: `session-${n}`,
              ocorrencia,
              inicio: at,
              fim: addMinutes(at, 60),
              status: 'agendada',
              confirmado: true,
              revisao: 0,
              alterada_em: start,
              titulo: 'Ana',
              local: null,
            },
          ];
        });
        const series = {
          id: 'series',
          intervalo,
          inicio,
          revisao: 0,
          trechos: [{ ...terms, desde: inicio }],
        };
        const text = await calendarFile({ name: 'Rende', entries: seriesEntries(series, sessions) });
        expect(startsOf(text)).toEqual(sessions.map((one) => one.inicio.toISOString()).toSorted());
      },
    ),
    { numRuns: 60 },
  );
});
