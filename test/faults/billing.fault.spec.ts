import { expect, it } from '@jest/globals';
import { monthAfter, monthReached } from '../../backend/platform/local-time.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { describeWithFaketime } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { ownClock } from './harness/own-clock.js';
import { openStage } from './harness/stage.js';
import { openWire } from './harness/wire.js';

/** Far enough to pass two ends of months, whatever today's date is. */
const AHEAD_S = 62 * 86_400;
const ZONE = 'America/Sao_Paulo';
/** The query of the job just before it bills one trainer's plans. */
const DUE = /^select "id", "proximo_mes" from "monthly_plans"/;
const NEXT = `select proximo_mes::text as mes from read.monthly_plans where tenant_id = $1
  union all select proximo_mes::text from read.recurring_expenses where tenant_id = $1`;
const RECORDED = `select type, count(distinct data ->> 'mes')::int as months, count(*)::int as events from events
  where tenant_id = $1 and type in ('ChargeIssued', 'MonthlyPlanBilled', 'RecurringExpenseRecorded') group by type`;
const ENTRIES = `select count(*)::int as n from events where tenant_id = $1 and type = 'TransactionRecorded'`;

describeWithFaketime('a clock that goes over the ends of months', () => {
  it('bills and records each month once, although a worker is killed between two months and another one is late', async () => {
    const stage = await openStage({ apis: 1, workers: 0, trainers: 0 });
    const { api, tenantId } = await signUp(stage.apis[0]!);
    const plan = { nome: 'Mensal', valor: 40_000, creditos: 8, tipo: 'mensal' };
    const plano_id = (await api.post('/plans', plan)).body.id;
    const student = (await api.post('/students', { nome: 'Ana', telefone: '11943214321' })).body.id;
    const desde = new Date().toISOString().slice(0, 10);
    const terms = { plano_id, valor: 40_000, desde, ate: null, vence_dia: 5 };
    await api.put(`/students/${student}/monthly-plan`, terms);
    const expense = { descricao: 'Sala', valor: 9_000, metodo_pagamento: 'pix', categoria: 'aluguel' };
    await api.post('/recurring-expenses', { ...expense, vence_dia: 1, desde, ate: null });
    const read = <Row extends object>(sql: string) => stage.database.query<Row>(sql, [tenantId]);
    // The tables that the jobs read are projected before the jobs run.
    const projecting = await stage.start('worker');
    await eventually(async () => (await read(NEXT)).length, 2);
    await projecting.end('SIGTERM');

    const clock = await ownClock();
    await clock.set(AHEAD_S);
    // The clock is set before the workers start and stays as it is, so they need to read it only once.
    const env = { ...clock.env, FAKETIME_NO_CACHE: '0' };
    // The jobs of a killed worker count as running for a while. Without jobs and schedules they run at once, as at first start.
    const beginAnew = async () => {
      for (const table of ['job', 'scheduler'])
        await stage.database.query(`delete from bullmq.${table} where queue = 'schedules'`);
    };
    const startHeld = async (matches: (statement: { sql: string }) => boolean) => {
      await beginAnew();
      const wire = await openWire(stage.database);
      const held = wire.hold('after', matches);
      const worker = await stage.start('worker', { env, database: wire.database, becomesReady: false });
      return { worker, held: await held };
    };
    const killed = await startHeld(({ sql }) => sql.includes('record_command'));
    await killed.worker.end('SIGKILL');
    // This worker has read what is due, and another one bills it in the meantime.
    const late = await startHeld(({ sql }) => DUE.test(sql));
    const mes = monthAfter(monthReached(new Date(Date.now() + AHEAD_S * 1000), ZONE, 1));
    // It is frozen once it has nothing else to do: it would take the other one's billing, and leave it to the next time.
    await eventually(async () => (await read(NEXT)).at(-1), { mes });
    process.kill(late.worker.pid, 'SIGSTOP');
    await beginAnew();
    stage.workers.push(await stage.start('worker', { env }));
    // End the workers with SIGTERM, because a killed one would leave shared memory of the test clock behind.
    for (const each of stage.workers) atEnd(() => each.end('SIGTERM'));

    await eventually(() => read(NEXT), [{ mes }, { mes }]);
    late.held.release();
    process.kill(late.worker.pid, 'SIGCONT');
    await late.worker.end('SIGTERM');
    const recorded = await read<{ type: string; months: number; events: number }>(RECORDED);
    expect(recorded).toHaveLength(3);
    for (const { months, events } of recorded) expect([events, months >= 2]).toEqual([months, true]);
    const spent = recorded.find(({ type }) => type === 'RecurringExpenseRecorded')!;
    expect(await read(ENTRIES)).toEqual([{ n: spent.events }]);
    await stage.check();
  });
});
