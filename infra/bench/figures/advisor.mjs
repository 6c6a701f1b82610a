import { interleave, line, percentiles } from '../measure.mjs';
import { answer } from '../stage.mjs';

const QUESTIONS = ['quanto recebi esse mês?', 'quem está devendo?', 'quanto recebi de março a maio?'];

/** Time until the first word of the advisor's answer, for one question after the other. */
export async function advisor(stage, { quick }) {
  const environment = await stage.filled();
  const trainers = await stage.trainers(environment, 500);
  const server = await stage.server(environment, 'api,worker');
  const bare = stage.child('echo-server.mjs', ['data: [DONE]\n\n']);
  const bareUrl = await answer(bare);
  const questions = quick ? 60 : 300;
  let turn = 0;
  const ask = async () => {
    const { token } = trainers[turn % trainers.length];
    const content = QUESTIONS[turn % QUESTIONS.length];
    turn += 1;
    return firstPiece(
      await fetch(`${server.url}/api/v1/financial-advisor`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      }),
    );
  };
  const rounds = async (work) => {
    const taken = [];
    for (let n = 0; n < questions; n += 1) {
      const started = performance.now();
      taken.push((await work()) - started);
    }
    return percentiles(taken);
  };
  const subjects = {
    advisor: () => rounds(ask),
    bare: () => rounds(async () => firstPiece(await fetch(bareUrl))),
  };
  await subjects.advisor();
  const results = await interleave(subjects, quick ? 3 : 7);
  bare.kill();
  await server.close();
  const of = (name, key) => results[name].map((result) => result[key]);
  return {
    title: 'Consultor Financeiro: até a primeira palavra, uma pergunta por vez',
    lines: ['p50', 'p99'].map((key) => line(key, 'ms', of('advisor', key), 'node:http só', of('bare', key))),
  };
}

/** Returns when the first chunk of an answer arrived; also reads the rest. */
async function firstPiece(response) {
  if (!response.ok) throw new Error(`the question was answered with ${response.status}`);
  const reader = response.body.getReader();
  await reader.read();
  const at = performance.now();
  while (!(await reader.read()).done);
  return at;
}
