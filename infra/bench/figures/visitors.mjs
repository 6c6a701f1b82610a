import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { line, percentiles } from '../measure.mjs';
import { BEHIND_A_PROXY, bookAsVisitor, openPage, startsOf } from '../visitor.mjs';

const TRAINERS = 60;
/** Per trainer and round: with three rounds in a minute, too few for a page to treat them as an attack. */
const VISITORS = 10;
const ROUNDS_A_MINUTE = 3;
const CROWD = 10_000;

/** Measures bookings by visitors of many trainers at once, then 10,000 visitors who want the same time. */
export async function visitors(stage, { quick }) {
  const environment = { ...(await stage.filled()), ...BEHIND_A_PROXY };
  const trainers = await stage.trainers(environment, TRAINERS + 1);
  const server = await stage.server(environment, 'api,worker');
  const { url } = server;
  const [wanted, ...pages] = await Promise.all(trainers.map((trainer) => openPage(url, trainer)));

  const rounds = [];
  // The first round warms up the server.
  for (let round = 0; round <= (quick ? 2 : 5); round += 1) {
    if (round > 0 && round % ROUNDS_A_MINUTE === 0) await delay(61_000);
    const wishes = await Promise.all(pages.map(async (page) => [page, await startsOf(url, page)]));
    const agent = new Agent({ keepAlive: true, maxSockets: TRAINERS * 4 });
    const before = await server.cpuSeconds();
    const began = performance.now();
    const answers = await Promise.all(
      wishes.flatMap(([page, starts]) =>
        starts.slice(0, VISITORS).map((inicio) => bookAsVisitor(url, page, inicio, agent)),
      ),
    );
    const seconds = (performance.now() - began) / 1000;
    const cpu = (((await server.cpuSeconds()) - before) * 1000) / answers.length;
    agent.destroy();
    expectStatuses(answers, { 201: TRAINERS * VISITORS });
    if (round > 0)
      rounds.push({ perSecond: answers.length / seconds, ...percentiles(answers.map(({ ms }) => ms)), cpu });
  }

  const crowds = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const [inicio] = (await startsOf(url, wanted)).slice(30);
    const agent = new Agent({ keepAlive: false, maxSockets: CROWD });
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: CROWD }, () => bookAsVisitor(url, wanted, inicio, agent)),
    );
    crowds.push({ seconds: (performance.now() - began) / 1000, ...percentiles(answers.map(({ ms }) => ms)) });
    agent.destroy();
    expectStatuses(answers, { 201: 1, 409: CROWD - 1 });
    const isTold = ({ status, body }) =>
      status === 201 || (body.title === 'Esse horário acabou de ser ocupado' && body.livres.length === 3);
    if (!answers.every(isTold)) throw new Error('somebody was not told of the three nearest times');
  }
  await server.close();
  const of = (all, key) => all.map((each) => each[key]);
  return {
    title: 'Reservas por visitantes, carga nos mesmos núcleos (respostas saem a cada 250 ms, de propósito)',
    lines: [
      line(
        `${TRAINERS} personais, ${TRAINERS * VISITORS} reservas de uma vez, vazão`,
        'reservas/s',
        of(rounds, 'perSecond'),
      ),
      line('p50', 'ms', of(rounds, 'p50')),
      line('p99', 'ms', of(rounds, 'p99')),
      line('CPU do servidor por reserva', 'ms', of(rounds, 'cpu')),
      line(`um horário, ${CROWD} visitantes: até a última resposta`, 's', of(crowds, 'seconds')),
      line(`um horário, ${CROWD} visitantes, p99`, 'ms', of(crowds, 'p99')),
    ],
    remarks: [`Um dos ${CROWD} reservou; os outros souberam dos três horários livres mais próximos.`],
  };
}

function expectStatuses(answers, wanted) {
  const counts = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  const isSo = JSON.stringify(counts) === JSON.stringify(wanted);
  if (!isSo) throw new Error(`visitors were answered ${JSON.stringify(counts)}`);
}
