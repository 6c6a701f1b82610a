import { addDays } from 'date-fns';
import { TZDate } from '@date-fns/tz';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { openStage } from './harness/stage.js';
import { openWire } from './harness/wire.js';

const SESSIONS = 12;

/** A time zone in which it is now evening, so that tomorrow's reminders are due. */
function eveningZone(): string {
  const ahead = (20 - new Date().getUTCHours() + 24) % 24;
  return ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`;
}

it('workers killed before and after writing a reminder leave one reminder and one mail for each session', async () => {
  const stage = await openStage({ apis: 1, workers: 0 });
  const trainer = await signUp(stage.apis[0]!);
  const zone = eveningZone();
  await stage.database.query('update tenants set timezone = $2 where tenant_id = $1', [
    trainer.tenantId,
    zone,
  ]);
  const midnight = new TZDate(addDays(new TZDate(new Date(), zone), 1), zone);
  midnight.setHours(0, 0, 0, 0);
  const at = (hour: number) => new Date(midnight.getTime() + hour * 3_600_000).toISOString();
  for (let hour = 6; hour < 6 + SESSIONS; hour += 1) {
    // One address gets few mails a day.
    const { body: student } = await trainer.api.post('/students', {
      ...{ nome: 'Ana', telefone: '11943214321', email: `ana${hour}@exemplo.com.br` },
    });
    await trainer.api.post('/sessions', {
      ...{ student_id: student.id, inicio: at(hour), fim: at(hour + 1) },
      permitir_conflito: true,
    });
  }

  const count = async (sql: string) =>
    (
      await stage.database.query<{ n: number }>(`select count(*)::int as n from ${sql}`, [trainer.tenantId])
    )[0]!.n;
  const prepared = () => count(`events where tenant_id = $1 and type = 'ReminderPrepared'`);
  const mails = () => count(`mails where tenant_id = $1 and kind = 'reminders.session'`);
  const isPreparation = ({ sql }: { sql: string }) => sql.includes('into reminder_tokens');
  const isMail = ({ sql }: { sql: string }) => sql.startsWith('insert into mails');

  for (const [place, matches] of [
    ['after', isPreparation],
    ['before', isMail],
  ] as const) {
    // The jobs of a killed worker count as running for a while: delete them; schedules without a job are written again.
    await stage.database.query(`delete from bullmq.job where queue in ('schedules', 'reactions')`);
    const wire = await openWire(stage.database);
    const held = wire.hold(place, matches);
    const worker = await stage.start('worker', { database: wire.database, becomesReady: false });
    await held;
    await worker.end('SIGKILL');
  }
  expect(await mails()).toBe(0);
  await stage.database.query(`delete from bullmq.job where queue in ('schedules', 'reactions')`);
  stage.workers.push(await stage.start('worker'));
  await eventually(mails, SESSIONS);
  expect(await prepared()).toBe(SESSIONS);
  expect(await count(`read.reminders where tenant_id = $1`)).toBe(SESSIONS);
  expect(await mails()).toBe(SESSIONS);
  await stage.check();
});
