// `npm run simulate [-- --events n] [--data folder] [--times 1] [--seconds 60] [--json]`: simulates the busy hour of 100,000
// trainers, or a multiple of it, on the same cores as the server, which runs as with `npm start`; the same again while one
// trainer's post goes viral; then increases the load until p99 exceeds 200 ms.
import { parseArgs } from 'node:util';
import { percentiles, WARM_SECONDS } from '../bench/measure.mjs';
import { answer, Stage } from '../bench/stage.mjs';
import { BEHIND_A_PROXY, openPage } from '../bench/visitor.mjs';
import { ensureBuilt } from '../start/build.mjs';
import { fail } from '../start/expected-error.mjs';

const READS = 1_400;
const COMMANDS = 70;
const SOCKETS = 1_000;
/** Visitors per minute who follow one trainer's link. */
const VISITORS = 200;
const STEP = 1.25;
const STEP_SECONDS = 10;
const MAX_P99_MS = 200;
const ms = (value) => value.toLocaleString('pt-BR', { maximumFractionDigits: 1 });

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    times: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const print = console.log;
if (values.json) console.log = console.error;
const stage = new Stage({ events: Number(values.events), data: values.data });
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void stage.close().finally(() => process.exit(130));
  });
}

try {
  await ensureBuilt(['backend']);
  const steps = await simulate();
  if (values.json)
    print(JSON.stringify({ at: new Date().toISOString(), events: stage.events, steps }, null, 2));
} catch (error) {
  if (!stopping) fail(error);
}
if (!stopping) {
  await stage.close();
  process.exit();
}

async function simulate() {
  const environment = { ...(await stage.filled()), ...BEHIND_A_PROXY };
  const trainers = await stage.trainers(environment);
  const server = await stage.server(environment, 'api,worker');
  const load = stage.child('../simulate/load.mjs');
  load.send({ trainers, url: server.url, sockets: SOCKETS });
  await answer(load);
  console.log(`${trainers.length} personais, ${SOCKETS} sockets abertos.`);
  const first = Number(values.times);
  await step(server, load, first / 2, WARM_SECONDS);
  const hour = await step(server, load, first, Number(values.seconds));
  show(hour);
  for (const [kind, each] of Object.entries(hour.kinds))
    console.log(`  ${kind}: p50 ${ms(each.p50)} ms, p99 ${ms(each.p99)} ms`);
  const steps = [hour, await viral(server, load, trainers.at(-1), hour)];
  for (let times = first, last = hour; last.p99 <= MAX_P99_MS && last.errors === 0;) {
    times *= STEP;
    last = await step(server, load, times, STEP_SECONDS);
    steps.push(last);
    show(last);
  }
  return steps;
}

/** Repeats the busy hour while visitors come to one trainer's page. */
async function viral(server, load, trainer, before) {
  const page = await openPage(server.url, trainer);
  const seconds = Number(values.seconds);
  const crowd = stage.child('../simulate/visitors.mjs');
  crowd.send({ url: server.url, page, perMinute: VISITORS, seconds });
  const [visitors, result] = await Promise.all([answer(crowd), step(server, load, before.times, seconds)]);
  crowd.kill();
  const [pages, bookings] = [percentiles(visitors.pages), percentiles(visitors.bookings)];
  show(result);
  console.log(
    `  com ${visitors.visitors} visitantes na página de um personal: p99 dos outros ${ms(result.p99 - before.p99)} ms a mais; ` +
      `página p99 ${ms(pages.p99)} ms, reserva p99 ${ms(bookings.p99)} ms, respostas ${JSON.stringify(visitors.statuses)}`,
  );
  return { ...result, visitors: { count: visitors.visitors, statuses: visitors.statuses, pages, bookings } };
}

/** Runs the load of the busy hour, multiplied by `times`. Durations are in ms; `lag` is the maximum lag of projections. */
async function step(server, load, times, seconds) {
  const cpuBefore = await server.cpuSeconds();
  load.send({ reads: READS * times, commands: COMMANDS * times, seconds });
  let lag = 0;
  const sampling = setInterval(async () => {
    lag = Math.max(lag, 1000 * (await server.metric('rende_projection_lag_seconds').catch(() => 0)));
  }, 500);
  const result = await answer(load);
  clearInterval(sampling);
  const cpu = (await server.cpuSeconds()) - cpuBefore;
  return {
    times,
    perSecond: result.durations.length / result.seconds,
    ...percentiles(result.durations),
    commands: percentiles(result.commandDurations),
    kinds: Object.fromEntries(Object.entries(result.kinds).map(([kind, all]) => [kind, percentiles(all)])),
    errors: Object.values(result.errors).reduce((sum, count) => sum + count, 0),
    errorKinds: result.errors,
    stale: result.stale,
    hints: result.hints,
    lag,
    serverCores: cpu / result.seconds,
  };
}

function show({ times, perSecond, p50, p99, commands, errors, errorKinds, stale, hints, lag, serverCores }) {
  console.log(
    `${ms(times)}× (${Math.round(perSecond)} pedidos/s): p50 ${ms(p50)} ms, p99 ${ms(p99)} ms; comandos p99 ${ms(commands.p99)} ms; ` +
      `${errors} erros, ${stale} atrasadas, projeções até ${ms(lag)} ms atrás, ${hints} avisos, servidor ${ms(serverCores)} núcleos`,
  );
  if (errors > 0) console.log(errorKinds);
}
