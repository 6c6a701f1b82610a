import { expect, it } from '@jest/globals';
import { calendarFile } from './calendar-file.ics.js';

it('a long calendar is written in order, without blocking the event loop', async () => {
  const at = new Date('2030-01-07T10:00:00Z');
  const entries = Array.from({ length: 205 }, (_, n) => ({
    id: `session-${n}`,
    inicio: at,
    fim: at,
    status: 'agendada',
    confirmado: true,
    revisao: 1,
    alterada_em: at,
    titulo: `Ana ${n} ${'á'.repeat(60)}`,
    local: null,
  }));
  let turns = 0;
  const count = () => {
    turns += 1;
    turning = setImmediate(count);
  };
  let turning = setImmediate(count);
  const text = await calendarFile({ name: 'Rende', entries });
  clearImmediate(turning);

  expect(turns).toBeGreaterThanOrEqual(10);
  expect(text.match(/^UID:.+$/gm)).toEqual(entries.map(({ id }) => `UID:${id}@rende`));
  expect(text.match(/BEGIN:VCALENDAR|END:VCALENDAR/g)).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
  expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
});
