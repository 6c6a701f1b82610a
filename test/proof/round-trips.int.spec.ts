import { expect, it } from '@jest/globals';
import { agendaOf, on } from '../agenda/trainer.js';
import { openWire } from '../faults/harness/wire.js';
import { startApp } from '../support/app.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';

const wire = await openWire(await testDatabase());
const trainer = await signUp(await startApp({ database: wire.database }));
const agenda = agendaOf(trainer.api);
const [student_id, location_id] = [await agenda.student('Ana Souza'), await agenda.location()];
await trainer.api.post(`/students/${student_id}/credits/adjust`, { quantidade: 5, motivo: 'Pacote' });

const at = on(26);
const commands: Record<string, () => Promise<unknown>> = {
  'a booking': () => agenda.book({ student_id, inicio: at(7), fim: at(8) }),
  'a booking at a location, with notes': () =>
    agenda.book({ student_id, inicio: at(9), fim: at(10), location_id, observacoes: 'Joelho esquerdo' }),
  'the use of a credit': () =>
    trainer.api.post(`/students/${student_id}/credits/consume`, { motivo: 'Aula avulsa' }),
};

it.each(Object.keys(commands))('%s takes two round trips: lock and read, write and commit', async (name) => {
  const sent = wire.roundTrips(({ sql }) => sql.includes('record_command'));
  await commands[name]!();
  const trips = await sent;
  expect(trips).toHaveLength(2);
  const [read, written] = trips as [string[], string[]];
  expect(read[0]).toBe('begin');
  expect(read[1]).toContain('lock_log');
  expect(read.at(-1)).toContain('events');
  expect(written[0]).toContain('record_command');
  expect(written.at(-1)).toBe('commit');
});
