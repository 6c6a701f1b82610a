import { interleave, line } from '../measure.mjs';
import { answer } from '../stage.mjs';
import { openTrainers } from '../trainers.mjs';

const CALLERS = 8;

/**
 * Commands of 8 callers on two replicas, each with half of the trainers as the web server's hash divides them: decided on what
 * the replicas remember, against the same without memory. `commands` are executed in the replicas, `http` asked for over HTTP.
 */
export async function replicas(stage, { quick }) {
  const environment = await stage.filled();
  const signedIn = await stage.trainers(environment, 64);
  const app = await stage.app(environment, 'api');
  const opened = await openTrainers(app, 200, quick ? 5 : 20);
  await app.close();
  const pair = await Promise.all(
    [0, 1].map((half) => startReplica(stage, environment, half, { opened, signedIn })),
  );

  const together = async (remembers, run) => {
    for (const { child } of pair) child.send({ remembers });
    const rates = await Promise.all(pair.map(run));
    return rates.reduce((sum, rate) => sum + rate, 0);
  };
  const commands =
    (work, seconds) =>
    async ({ child }) => {
      child.send({ work, callers: CALLERS / 2, seconds });
      return answer(child);
    };
  const overHttp =
    (seconds) =>
    async ({ load, url }) => {
      load.send({ work: 'book', url: `${url}/api/v1/sessions`, seconds });
      const result = await answer(load);
      if (result.refused > 0) throw new Error(`${result.refused} requests were not answered with 2xx`);
      return result.perSecond;
    };
  const seconds = quick ? 2 : 4;
  const runs = {
    book: commands('book', seconds),
    consume: commands('consume', seconds),
    http: overHttp(seconds),
  };
  const subjects = {};
  for (const [name, run] of Object.entries(runs)) {
    subjects[name] = () => together(true, run);
    subjects[`${name} without`] = () => together(false, run);
  }
  for (const subject of Object.values(subjects)) await subject();
  const results = await interleave(subjects, quick ? 3 : 9);
  for (const { child, load } of pair) {
    child.kill();
    load.kill();
  }
  return {
    title: `Comandos de ${CALLERS} ao mesmo tempo em duas réplicas, cada personal em uma delas (200 personais; por HTTP 64)`,
    lines: [
      ['book', 'agendar'],
      ['consume', 'usar um crédito'],
      ['http', 'agendar por HTTP'],
    ].map(([name, what]) => line(what, '/s', results[name], 'sem memória', results[`${name} without`])),
  };
}

async function startReplica(stage, environment, half, { opened, signedIn }) {
  const child = stage.child('replica-child.mjs', [], { ...environment, RENDE_ROLES: 'api' });
  const url = await answer(child);
  const own = (trainers) => trainers.filter((_, index) => index % 2 === half);
  child.send({ trainers: own(opened) });
  const load = stage.child('load.mjs');
  load.send({ trainers: own(signedIn), connections: CALLERS / 2 });
  return { child, load, url };
}
