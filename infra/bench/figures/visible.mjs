import { CommandBus } from '@nestjs/cqrs';
import { backendModule } from '../../start/database.mjs';
import { atRate, interleave, line, percentiles } from '../measure.mjs';
import { anyOf, contextOf, openTrainers } from '../trainers.mjs';

const RATES = [100, 500, 1500];

/** Time from a command's answer until a read sees its result, at a steady rate. */
export async function visible(stage, { quick }) {
  const lines = [];
  const remarks = [];
  for (const setup of await stage.setups()) {
    const { environment, name } = setup;
    const app = await stage.app(environment, setup.apart ? 'api' : 'api,worker');
    const worker = setup.apart ? await stage.server(environment, 'worker') : undefined;
    const trainers = await openTrainers(app, quick ? 50 : 200, 5);
    const [subjects, late] = await subjectsOf(app, trainers, quick ? 2 : 5);
    for (const subject of Object.values(subjects)) await subject();
    late.clear();
    const results = await interleave(subjects, quick ? 3 : 5);
    await app.close();
    await worker?.close();
    for (const rate of RATES) {
      const [measured, anchored] = [results[rate], results[`${rate} anchor`]];
      for (const share of ['p50', 'p99']) {
        const of = (rounds) => rounds.map((each) => each[share]);
        lines.push(
          line(`${name}, ${rate}/s, ${share}`, 'ms', of(measured), 'ida e volta ao banco', of(anchored)),
        );
      }
      if (late.has(rate))
        remarks.push(
          `${name}, ${rate}/s: ${late.get(rate)} não foram vistos em 1,5 s e contam com esse tempo.`,
        );
    }
  }
  return { title: 'Do comando respondido até uma leitura o ver', lines, remarks };
}

/** Returns the measured function and its baseline by rate, and, also by rate, how many results were never seen. */
async function subjectsOf(app, trainers, seconds) {
  const [{ ReadYourWrites }, { ConsumeCredit }, { Database }] = await Promise.all([
    backendModule('platform/http/read-your-writes.js'),
    backendModule('modules/credits/credits.commands.js'),
    backendModule('platform/database/database.js'),
  ]);
  const bus = app.get(CommandBus);
  const reads = app.get(ReadYourWrites);
  const pool = app.get(Database).pool;
  const late = new Map();
  const timed = (rate, work) => async () => percentiles(await atRate(rate, seconds, work));
  const subjects = RATES.flatMap((rate) => [
    [
      rate,
      timed(rate, async () => {
        const { tenantId, students } = anyOf(trainers);
        const command = new ConsumeCredit(contextOf(tenantId), anyOf(students), { motivo: 'Aula avulsa' });
        const { position } = await bus.execute(command);
        const answered = performance.now();
        if (!(await reads.wait(tenantId, position))) late.set(rate, (late.get(rate) ?? 0) + 1);
        return performance.now() - answered;
      }),
    ],
    [
      `${rate} anchor`,
      timed(rate, async () => {
        const began = performance.now();
        await pool.query('select 1');
        return performance.now() - began;
      }),
    ],
  ]);
  return [Object.fromEntries(subjects), late];
}
