// A replica of the api, listening, for `figures/replicas.mjs`. Tells its address. Told first `{ trainers }`, then either
// `{ remembers }`, whether it decides commands on remembered state, or `{ work, callers, seconds }`, which it answers with
// how many commands it ran in a second.
import { CommandBus } from '@nestjs/cqrs';
import { backendModule } from '../start/database.mjs';
import { perSecond } from './measure.mjs';
import { anyOf, contextOf } from './trainers.mjs';

const HOUR = 3_600_000;

const [
  { AppModule },
  { readConfig },
  { createApp },
  { EventStore },
  { ProjectorWake },
  { BookSession },
  { ConsumeCredit },
] = await Promise.all(
  [
    'app.module.js',
    'platform/config/env.js',
    'platform/http/create-app.js',
    'platform/event-store/event-store.js',
    'platform/projections/projector-wake.js',
    'modules/agenda/agenda.commands.js',
    'modules/credits/credits.commands.js',
  ].map(backendModule),
);
const app = await createApp({ modules: [AppModule], config: readConfig() });
await app.listen(0, '127.0.0.1');
const find = (token) => app.get(token, { strict: false });
// What follows the commit is measured by itself, as the way to a read.
find(ProjectorWake).committed = () => undefined;
const bus = find(CommandBus);
const { memory } = find(EventStore);
let trainers;
let hour = Date.UTC(2040, 0, 1) / HOUR;

const work = {
  book({ tenantId, students }) {
    hour += 1;
    const booking = {
      student_id: anyOf(students),
      inicio: new Date(hour * HOUR).toISOString(),
      fim: new Date((hour + 1) * HOUR).toISOString(),
    };
    return bus.execute(new BookSession(contextOf(tenantId), booking));
  },
  consume({ tenantId, students }) {
    return bus.execute(new ConsumeCredit(contextOf(tenantId), anyOf(students), { motivo: 'Aula avulsa' }));
  },
};

process.on('message', async (order) => {
  if (order.trainers) trainers = order.trainers;
  else if ('remembers' in order) {
    for (const part of ['recall', 'remember']) {
      if (order.remembers) delete memory[part];
      else memory[part] = () => undefined;
    }
  } else {
    const { callers, seconds } = order;
    process.send(await perSecond(callers, seconds, () => work[order.work](anyOf(trainers))));
  }
});
process.once('disconnect', () => process.exit());
process.send(await app.getUrl());
