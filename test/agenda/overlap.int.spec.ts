import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { session, single } from '../../backend/modules/sessions/session.js';
import { overlappingSessions } from '../../backend/modules/agenda/session.loads.js';
import type { CommandContext } from '../../backend/platform/event-store/context.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { rowsRead } from '../support/plan.js';
import { sharedApp } from '../support/shared.js';
import { expectSlotsToFollowFromTheLog } from './slots.js';
import { agendaOf, on, type Refusal } from './trainer.js';

let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const database = await testDatabase();
const app = await sharedApp(new SetClock(new Date(on(26)(0))));

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

const at = on(26);
const slot = (inicio: string, fim: string, more: object = {}) => ({ student_id: ana, inicio, fim, ...more });

/** Busy stretches as pairs of `HH:MM` in São Paulo. */
const stretches = async () =>
  (
    await database.query<{ span: string }>(
      `select to_char(lower(during) at time zone 'America/Sao_Paulo', 'HH24:MI') || '-' ||
              to_char(upper(during) at time zone 'America/Sao_Paulo', 'HH24:MI') as span
       from session_slots where tenant_id = $1 order by during`,
      [trainer.tenantId],
    )
  ).map(({ span }) => span);

const expectGuardsToFollowFromTheLog = () => expectSlotsToFollowFromTheLog(app, trainer.tenantId);

describe('an overlap', () => {
  it.each([
    ['the same time', at(7), at(8)],
    ['the end of it', at(6, 30), at(7, 15)],
    ['the beginning of it', at(7, 45), at(8, 30)],
    ['a part of it', at(7, 15), at(7, 45)],
    ['all of it', at(6), at(9)],
  ])('with %s is refused, naming the obstacle', async (_case, inicio, fim) => {
    const first = await agenda.book(slot(at(7), at(8)));
    await agenda.get(first);
    expect(await agenda.refused(409, 'POST', '/sessions', slot(inicio, fim))).toMatchObject({
      code: 'agenda.overlap',
      title: 'Horário já ocupado',
      detail: 'Ana já tem sessão das 7:00 às 8:00. Escolha outro horário ou agende mesmo assim.',
      session_ids: [first],
    });
    expect(await stretches()).toEqual(['07:00-08:00']);
  });

  it('is searched only around the requested time, not among all sessions', async () => {
    await database.query(
      `with booked as (
         select tstzrange(day, day + interval '1 hour') as during
         from generate_series('2020-01-01'::timestamptz, '2026-01-01', '1 day') as day
       ), members as (
         insert into session_slot_members (tenant_id, session_id, during)
         select $1, gen_random_uuid(), during from booked
       )
       insert into session_slots (tenant_id, during) select $1, during from booked`,
      [trainer.tenantId],
    );
    await database.query('analyze session_slot_members, session_slots', []);
    const read = await rowsRead(database, trainer.tenantId, overlappingSessions.text, [
      trainer.tenantId,
      '2023-05-05T12:00:00Z',
      '2023-05-05T13:00:00Z',
      [],
    ]);
    expect(read).toBeLessThan(10);
  });

  it('does not exist between adjacent sessions', async () => {
    await agenda.book(slot(at(7), at(8)));
    await agenda.book(slot(at(8), at(9)));
    await agenda.book(slot(at(6), at(7)));
    expect(await stretches()).toEqual(['06:00-07:00', '07:00-08:00', '08:00-09:00']);
  });

  it('does not exist with cancelled or deleted sessions, or those of another trainer', async () => {
    await agenda.cancel(await agenda.book(slot(at(7), at(8))));
    await agenda.remove(await agenda.book(slot(at(7), at(8))));
    await agenda.book(slot(at(7), at(8)));
    const other = agendaOf((await signUp(app)).api);
    await other.book({ student_id: await other.student('Caio Reis'), inicio: at(7), fim: at(8) });
  });

  it('by a move is refused, but not with the session itself', async () => {
    const first = await agenda.book(slot(at(7), at(8)));
    const second = await agenda.book(slot(at(8), at(9)));
    const move = { inicio: at(7, 30), fim: at(8, 30) };
    const refusal = await agenda.refused(409, 'PATCH', `/sessions/${first}`, move);
    expect(refusal.session_ids).toEqual([second]);
    await agenda.patch(first, { inicio: at(7, 15) });
    expect(await stretches()).toEqual(['07:15-08:00', '08:00-09:00']);
  });

  it.each(['complete', 'reopen'])('by a cancelled session that is restored by %s is refused', async (way) => {
    const first = await agenda.book(slot(at(7), at(8)));
    await agenda.cancel(first);
    const second = await agenda.book(slot(at(7, 30), at(8, 30)));
    const refusal = await agenda.refused(409, 'POST', `/sessions/${first}/${way}`);
    expect(refusal.session_ids).toEqual([second]);
    await agenda[way as 'complete'](first, { permitir_conflito: true });
    expect(await stretches()).toEqual(['07:00-08:30']);
  });

  it('by a deleted session that is restored is refused', async () => {
    const first = await agenda.book(slot(at(7), at(8)));
    await agenda.remove(first);
    await agenda.book(slot(at(7), at(8)));
    expect((await agenda.refused(409, 'POST', `/sessions/${first}/restore`)).code).toBe('agenda.overlap');
    await agenda.restore(first, { permitir_conflito: true });
    expect(await stretches()).toEqual(['07:00-08:00']);
  });

  it('with its own old time does not prevent that a cancelled session is moved and reopened in one command', async () => {
    const first = await agenda.book(slot(at(7), at(8)));
    await agenda.cancel(first);
    await agenda.book(slot(at(7), at(8)));
    await agenda.patch(first, { status: 'agendada', inicio: at(9), fim: at(10) });
    expect(await stretches()).toEqual(['07:00-08:00', '09:00-10:00']);
  });

  it('does not prevent that a session is cancelled and moved onto another one in one command', async () => {
    const first = await agenda.book(slot(at(7), at(8)));
    await agenda.book(slot(at(9), at(10)));
    await agenda.patch(first, { status: 'cancelada', inicio: at(9), fim: at(10) });
    expect(await stretches()).toEqual(['09:00-10:00']);
  });
});

describe('an overlap that the trainer permits', () => {
  it('extends the stretch that it joins, which shrinks again when the session leaves', async () => {
    const permitted = { permitir_conflito: true };
    const first = await agenda.book(slot(at(7), at(8)));
    const between = await agenda.book(slot(at(7, 30), at(9, 30), permitted));
    await agenda.book(slot(at(9), at(10), permitted));
    await agenda.book(slot(at(11), at(12), permitted));
    expect(await stretches()).toEqual(['07:00-10:00', '11:00-12:00']);
    await agenda.refused(409, 'POST', '/sessions', slot(at(8), at(8, 30)));

    await agenda.cancel(between);
    expect(await stretches()).toEqual(['07:00-08:00', '09:00-10:00', '11:00-12:00']);
    await agenda.book(slot(at(8), at(9)));
    await agenda.remove(first);
    expect(await stretches()).toEqual(['08:00-09:00', '09:00-10:00', '11:00-12:00']);
    await expectGuardsToFollowFromTheLog();
  });

  it('gives stretches that cover exactly their sessions, in any order of commands', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const start = at(6, (n * 37) % 600);
        const end = new Date(Date.parse(start) + (1 + (n % 5)) * 900_000).toISOString();
        return agenda.book(slot(start, end, { permitir_conflito: true }));
      }),
    );
    for (const id of ids.filter((_, n) => n % 3 !== 0)) await agenda.remove(id);
    const [sums] = await database.query(
      `select (select range_agg(during) from session_slots where tenant_id = $1) =
              (select range_agg(during) from session_slot_members where tenant_id = $1) as same,
              (select count(*)::int from session_slot_members where tenant_id = $1) as members`,
      [trainer.tenantId],
    );
    expect(sums).toEqual({ same: true, members: 14 });
    await expectGuardsToFollowFromTheLog();
  });
});

describe('a race', () => {
  it('for one slot is won by one of 40, and the others are refused cleanly', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const inicio = at(7, n);
        const fim = at(8, n);
        return trainer.api.request<Refusal>('POST', '/api/v1/sessions', { body: slot(inicio, fim) });
      }),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([1, 39]);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'agenda.overlap']));
    expect(await stretches()).toHaveLength(1);
  });
});

it('is refused by the constraint if the command does not check', async () => {
  await agenda.book(slot(at(7), at(8)));
  const context: CommandContext = {
    tenantId: trainer.tenantId,
    userId: trainer.userId,
    role: 'personal',
    studentId: null,
    timezone: 'America/Sao_Paulo',
    requestId: randomUUID(),
    device: null,
    idempotency: null,
  };
  const booking = {
    session_id: randomUUID(),
    student_id: ana,
    inicio: at(7, 59),
    fim: at(9),
    location_id: null,
    observacoes: null,
    confirmado: true,
    ...single,
    permitir_conflito: false,
    timezone: context.timezone,
  };
  const careless = app.nest.get(EventStore).transact({ context }, (tx) => {
    tx.append(session, booking.session_id, [{ type: 'SessionBooked', data: booking }]);
    return { id: booking.session_id };
  });
  await expect(careless).rejects.toMatchObject({ code: 'agenda.overlap' });
  expect(await stretches()).toEqual(['07:00-08:00']);
});
