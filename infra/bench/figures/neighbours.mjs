import { setTimeout as delay } from 'node:timers/promises';
import { answer } from '../stage.mjs';
import { atRate, interleave, line, percentiles } from '../measure.mjs';

/** Concurrent callers of the tenant that causes the load. */
const CALLERS = 200;
const READS_PER_SECOND = 50;

/** How one trainer's reads are slowed by another's many reads, by slow searches, and by a connection that sends huge bodies. */
export async function neighbours(stage, { quick }) {
  const environment = await stage.filled();
  const [busy, quiet] = await stage.trainers(environment, 2);
  const server = await stage.server(environment, 'api,worker');
  const seconds = quick ? 3 : 6;

  const flood = (work, connections) => async () => {
    const load = work && stage.child('load.mjs');
    if (load) {
      load.send({ trainers: [busy], connections });
      load.send({ work, url: server.url, seconds: seconds + 2 });
      await delay(1_000);
    }
    const durations = await reading(server.url, quiet, seconds);
    if (load) {
      await answer(load);
      load.kill();
    }
    return percentiles(durations);
  };
  const subjects = {
    quiet: flood(),
    reads: flood('read', CALLERS),
    searches: flood('search', CALLERS),
    bodies: flood('body', 1),
  };
  for (const subject of Object.values(subjects)) await subject();
  const results = await interleave(subjects, quick ? 3 : 5);
  await server.close();
  const lines = (name, what) =>
    ['p50', 'p99'].map((share) => {
      const of = (subject) => results[subject].map((each) => each[share]);
      return line(`${what}, ${share}`, 'ms', of(name), 'sem vizinho', of('quiet'));
    });
  return {
    title: `GET de um personal (${READS_PER_SECOND}/s) enquanto outro abusa, carga nos mesmos núcleos`,
    lines: [
      ...lines('reads', `${CALLERS} leem sem parar`),
      ...lines('searches', `${CALLERS} buscam sem parar`),
      ...lines('bodies', 'uma conexão manda 0,9 MB com 105.000 campos'),
    ],
  };
}

async function reading(url, { token, students }, seconds) {
  const durations = [];
  await atRate(READS_PER_SECOND, seconds, async () => {
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/students/${students[0]}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a neighbour's read answered ${response.status}`);
    durations.push(performance.now() - began);
  });
  return durations;
}
