import { setTimeout as delay } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { backendModule } from '../../start/database.mjs';
import { interleave, line, percentiles } from '../measure.mjs';
import { anyOf, contextOf, openTrainers } from '../trainers.mjs';

const RATES = [200, 500];

/** From a command's answer to the moment in which a read sees it, at a steady rate. */
export async function visible(stage, { quick }) {
  const [{ ReadYourWrites }, { ConsumeCredit }, { Database }] = await Promise.all([
    backendModule('platform/http/read-your-writes.js'),
    backendModule('modules/credits/credits.commands.js'),
    backendModule('platform/database/database.js'),
  ]);
  const redisUrl = await stage.redis();
  const setups = [
    { name: 'um processo, Postgres' },
    { name: 'api e worker, Postgres', apart: true },
    ...(redisUrl ? [{ name: 'api e worker, Redis', apart: true, redis: { REDIS_URL: redisUrl } }] : []),
  ];
  const subjects = {};
  const lines = [];
  const open = [];
  for (const { name, apart, redis } of setups) {
    const environment = { ...(await stage.database()), ...redis };
    const app = await stage.app(environment, apart ? 'api' : 'api,worker');
    open.push(app);
    if (apart) open.push(await stage.server(environment, 'worker'));
    const trainers = await openTrainers(app, quick ? 50 : 200, 5);
    const bus = app.get(CommandBus);
    const reads = app.get(ReadYourWrites);
    const pool = app.get(Database).pool;
    const seconds = quick ? 2 : 5;
    for (const rate of RATES) {
      const subject = `${name}, ${rate}/s`;
      lines.push(subject);
      subjects[subject] = () =>
        atRate(rate, seconds, async () => {
          const { tenantId, students } = anyOf(trainers);
          const command = new ConsumeCredit(contextOf(tenantId), anyOf(students), { motivo: 'Aula avulsa' });
          const { position } = await bus.execute(command);
          const answered = performance.now();
          if (!(await reads.wait(tenantId, position))) throw new Error('a command did not become visible');
          return performance.now() - answered;
        });
      subjects[`${subject} anchor`] = () =>
        atRate(rate, seconds, async () => {
          const began = performance.now();
          await pool.query('select 1');
          return performance.now() - began;
        });
    }
  }
  for (const subject of Object.values(subjects)) await subject();
  const results = await interleave(subjects, quick ? 3 : 5);
  for (const { close } of open) await close();
  const figure = (name, share) => results[name].map((each) => each[share]);
  return {
    title: 'Do comando respondido até uma leitura o ver',
    lines: lines.flatMap((subject) =>
      ['p50', 'p99'].map((share) =>
        line(
          `${subject}, ${share}`,
          'ms',
          figure(subject, share),
          'ida e volta ao banco',
          figure(`${subject} anchor`, share),
        ),
      ),
    ),
    remarks: redisUrl ? [] : ['Sem redis-server instalado, o caminho por Redis não foi medido.'],
  };
}

/** Begins `work` so many times a second, whether or not earlier ones are done. Answers percentiles of what they answer. */
async function atRate(rate, seconds, work) {
  const started = performance.now();
  const running = [];
  while (running.length < rate * seconds) {
    const due = Math.min(rate * seconds, Math.ceil(((performance.now() - started) / 1000) * rate));
    while (running.length < due) running.push(work());
    await delay(1);
  }
  return percentiles(await Promise.all(running));
}
