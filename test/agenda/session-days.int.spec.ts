import { describe, expect, it, jest } from '@jest/globals';
import type { SessionDays } from '../../backend/modules/agenda/session-days.api.js';
import { Database } from '../../backend/platform/database/database.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { agendaOf, on } from './trainer.js';

const daysOf = async ({ api }: Trainer, from: string, to: string, primeiras?: number) => {
  const query = { from, to, ...(primeiras !== undefined && { primeiras: String(primeiras) }) };
  return (await api.get<SessionDays>('/sessions/days', { query })).body.items;
};
const book = (inicio: string, of = agenda, student_id = ana) =>
  of.book({ student_id, inicio, fim: new Date(Date.parse(inicio) + 900_000).toISOString() });

const app = await sharedApp(new SetClock(new Date(on(3)(6))));
const trainer = await signUp(app);
const agenda = agendaOf(trainer.api);
const ana = await agenda.student('Ana Souza');

describe('the days of the calendar', () => {
  it("count the sessions of each day by status, in the tenant's zone, without deleted ones", async () => {
    const [first, second] = [on(3), on(4)];
    await book(first(0));
    const done = await book(first(12));
    const cancelled = await book(first(14));
    await book(first(23, 45));
    await agenda.remove(await book(first(16)));
    await book(second(0));
    await agenda.complete(done);
    await agenda.cancel(cancelled);

    expect(await daysOf(trainer, '2026-11-03', '2026-11-05')).toEqual([
      { dia: '2026-11-03', agendada: 2, feita: 1, cancelada: 1, primeiras: [] },
      { dia: '2026-11-04', agendada: 1, feita: 0, cancelada: 0, primeiras: [] },
    ]);
    expect(await daysOf(trainer, '2026-11-02', '2026-11-04')).toHaveLength(1);
    expect(await daysOf(trainer, '2026-11-05', '2026-11-06')).toEqual([]);
  });

  it('count a session over midnight on both, also where it began before the first of them', async () => {
    const [first, second] = [on(5), on(6)];
    const id = await agenda.book({ student_id: ana, inicio: first(23, 30), fim: second(0, 30) });
    const shown = { agendada: 1, primeiras: [{ id, inicio: first(23, 30) }] };
    expect(await daysOf(trainer, '2026-11-05', '2026-11-07', 1)).toMatchObject([
      { dia: '2026-11-05', ...shown },
      { dia: '2026-11-06', ...shown },
    ]);
    expect(await daysOf(trainer, '2026-11-06', '2026-11-07')).toMatchObject([
      { dia: '2026-11-06', agendada: 1 },
    ]);
    expect(await daysOf(trainer, '2026-11-07', '2026-11-08')).toEqual([]);
  });

  it('name the first sessions of each day, cancelled ones last', async () => {
    const day = on(9);
    const cancelled = await book(day(7));
    await agenda.cancel(cancelled);
    const eight = await book(day(8));
    const asked = () => daysOf(trainer, '2026-11-09', '2026-11-10', 2);
    const shown = (id: string, hour: number, status: string) => ({
      id,
      inicio: day(hour),
      status,
      student_nome: 'Ana Souza',
      outros: [],
    });
    expect((await asked())[0]!.primeiras).toEqual([
      shown(eight, 8, 'agendada'),
      shown(cancelled, 7, 'cancelada'),
    ]);
    const nine = await book(day(9));
    await book(day(10));
    expect(await asked()).toEqual([
      {
        dia: '2026-11-09',
        agendada: 3,
        feita: 0,
        cancelada: 1,
        primeiras: [shown(eight, 8, 'agendada'), shown(nine, 9, 'agendada')],
      },
    ]);
  });

  it('begin with their first instant if the clock change skips midnight', async () => {
    await book('2018-11-04T02:45:00.000Z');
    await book('2018-11-04T03:00:00.000Z');
    await book('2018-11-05T01:45:00.000Z');
    expect(await daysOf(trainer, '2018-11-04', '2018-11-05', 1)).toMatchObject([
      { dia: '2018-11-04', agendada: 2, primeiras: [{ inicio: '2018-11-04T03:00:00.000Z' }] },
    ]);
  });

  it.each([
    ['month', '2026-11-01', '2026-12-13', 2],
    ['year', '2026-01-01', '2027-01-01', 0],
  ])('are read by one statement for a %s', async (_period, from, to, primeiras) => {
    const database = app.nest.get(Database);
    const reads = [jest.spyOn(database, 'read'), jest.spyOn(database, 'report')];
    const found = await daysOf(trainer, from, to, primeiras);
    const own = reads.flatMap(({ mock }) => mock.calls).filter(([id]) => id === trainer.tenantId);
    for (const read of reads) read.mockRestore();
    expect(found.length).toBeGreaterThan(1);
    expect(own).toHaveLength(1);
  });

  it.each([
    [{ from: '2026-11-03', to: '2026-11-03' }, 422],
    [{ from: '2026-11-03', to: '2027-12-09' }, 422],
    [{ from: '2026-11-03', to: '2027-01-10', primeiras: '2' }, 422],
    [{ from: '2026-11-03', to: '2026-12-01', primeiras: '3' }, 400],
  ] as const)('are refused for %j with %i', async (query, status) => {
    const answer = await trainer.api.request('GET', '/api/v1/sessions/days', { query });
    expect(answer.status).toBe(status);
  });
});
