import { expect, it } from '@jest/globals';
import { agendaOf, on } from '../agenda/trainer.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { openWire } from '../faults/harness/wire.js';
import { startApp } from '../support/app.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';

const wire = await openWire(await testDatabase());
const app = await startApp({ database: wire.database });
const trainer = await signUp(app);
const agenda = agendaOf(trainer.api);
const [student_id, location_id] = [await agenda.student('Ana Souza'), await agenda.location()];
await trainer.api.post(`/students/${student_id}/credits/adjust`, { quantidade: 5, motivo: 'Pacote' });

const at = on(26);
let hour = 6;
const next = () => {
  hour += 1;
  return { inicio: at(hour), fim: at(hour + 1) };
};
const commands: Record<string, () => Promise<unknown>> = {
  'a booking': () => agenda.book({ student_id, ...next() }),
  'a booking at a location, with notes': () =>
    agenda.book({ student_id, ...next(), location_id, observacoes: 'Joelho esquerdo' }),
  'the use of a credit': () =>
    trainer.api.post(`/students/${student_id}/credits/consume`, { motivo: 'Aula avulsa' }),
};

const tripsOf = async (command: () => Promise<unknown>) => {
  const sent = wire.roundTrips(({ sql }) => sql.includes('record_command'));
  await command();
  return sent;
};

it.each(Object.entries(commands))(
  '%s takes two round trips, lock and read, write and commit, and one when it is decided on memory',
  async (_, command) => {
    app.nest.get(EventStore).memory.forget(trainer.tenantId);
    const trips = await tripsOf(command);
    expect(trips).toHaveLength(2);
    const [read, written] = trips as [string[], string[]];
    expect(read[0]).toBe('begin');
    expect(read[1]).toContain('lock_log');
    expect(read.at(-1)).toContain('events');
    expect(written[0]).toContain('record_command');
    expect(written.at(-1)).toBe('commit');

    const [only, ...others] = await tripsOf(command);
    expect(others).toEqual([]);
    expect(only).toEqual(['begin', ...written]);
  },
);
