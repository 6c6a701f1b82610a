import { interleave, line, WARM_SECONDS } from '../measure.mjs';
import { answer } from '../stage.mjs';

const CONNECTIONS = 32;

/** Reads a student over HTTP, with authentication and query, compared with a plain node:http server with a fixed answer. */
export async function readStudent(stage, { quick }) {
  const environment = await stage.filled();
  const trainers = await stage.trainers(environment, 500);
  const server = await stage.server(environment, 'api,worker');
  const [{ token, students }] = trainers;
  const url = `${server.url}/api/v1/students/${students[0]}`;
  const example = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const bare = stage.child('echo-server.mjs', [await example.text()]);
  const bareUrl = await answer(bare);
  const bareCpu = () => {
    bare.send('cpu');
    return answer(bare);
  };
  const load = stage.child('load.mjs');
  load.send({ trainers, connections: CONNECTIONS });
  const run = (address, cpuSeconds, seconds) => async () => {
    const before = await cpuSeconds();
    load.send({ work: 'read', url: address, seconds });
    const result = await answer(load);
    const used = (await cpuSeconds()) - before;
    if (result.refused > 0)
      throw new Error(`${result.refused} requests to ${address} were not answered with 2xx`);
    return { ...result, cpu: (used * 1e6) / result.requests };
  };
  const seconds = quick ? 2 : 5;
  const subjects = {
    read: run(server.url, server.cpuSeconds, seconds),
    bare: run(bareUrl, bareCpu, seconds),
  };
  await run(server.url, server.cpuSeconds, WARM_SECONDS)();
  await subjects.bare();
  const results = await interleave(subjects, quick ? 3 : 7);
  for (const child of [load, bare]) child.kill();
  await server.close();
  return {
    title: `Um aluno por HTTP, com token, tenant e consulta: ${CONNECTIONS} conexões, carga nos mesmos núcleos`,
    lines: [
      ['CPU do servidor por pedido', 'µs', 'cpu'],
      ['vazão', 'pedidos/s', 'perSecond'],
      ['p50', 'ms', 'p50'],
      ['p99', 'ms', 'p99'],
    ].map(([what, unit, key]) => {
      const of = (name) => results[name].map((result) => result[key]);
      return line(what, unit, of('read'), 'node:http só', of('bare'));
    }),
  };
}
