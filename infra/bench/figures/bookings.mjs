import { setTimeout as delay } from 'node:timers/promises';
import { Api } from '../../demo/api.mjs';
import { newAccount } from '../../demo/people.mjs';
import { interleave, line, WARM_SECONDS } from '../measure.mjs';
import { answer } from '../stage.mjs';

const TRAINERS = 64;
const CONNECTIONS = 32;

/** Bookings by many trainers over HTTP, compared with a plain node:http server that echoes the same requests. */
export async function bookings(stage, { quick }) {
  const environment = await stage.database();
  const { url, close } = await stage.server(environment, 'api,worker');
  await ready(url);
  const trainers = [];
  for (let number = 0; number < TRAINERS; number += 1) {
    const api = new Api(url);
    await api.signUp(newAccount('Carga'));
    const { id } = await api.write('POST', '/students', {
      nome: 'Aluna de Carga',
      whatsapp: '(11) 98765-4321',
    });
    trainers.push({ token: api.token, students: [id] });
  }

  const echo = stage.child('echo-server.mjs');
  const echoUrl = await answer(echo);
  const load = stage.child('load.mjs');
  load.send({ trainers, connections: CONNECTIONS });
  const run = (address, seconds) => async () => {
    load.send({ work: 'book', url: address, seconds });
    const result = await answer(load);
    if (result.refused > 0)
      throw new Error(`${result.refused} requests to ${address} were not answered with 2xx`);
    return result;
  };
  const seconds = quick ? 3 : 8;
  const bookingsUrl = `${url}/api/v1/sessions`;
  const subjects = { bookings: run(bookingsUrl, seconds), echo: run(echoUrl, seconds) };
  await run(bookingsUrl, WARM_SECONDS)();
  await subjects.echo();
  const results = await interleave(subjects, quick ? 3 : 7);
  for (const child of [load, echo]) child.kill();
  await close();
  return {
    title: `Agendamentos por HTTP: ${TRAINERS} personais, ${CONNECTIONS} conexões, carga nos mesmos núcleos`,
    lines: [
      ['vazão', 'pedidos/s', 'perSecond'],
      ['p50', 'ms', 'p50'],
      ['p99', 'ms', 'p99'],
    ].map(([what, unit, key]) => {
      const of = (name) => results[name].map((result) => result[key]);
      return line(what, unit, of('bookings'), 'eco em node:http', of('echo'));
    }),
  };
}

async function ready(url) {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(50);
  }
}
