import { interleave, line, WARM_SECONDS } from '../measure.mjs';
import { answer } from '../stage.mjs';
import { BEHIND_A_PROXY, openPage } from '../visitor.mjs';

const CALLERS = 8;
const PAGES = 64;

/** Reads the free times of 28 days on public pages of trainers with sessions: the same page for all callers, and many pages. */
export async function slots(stage, { quick }) {
  const environment = { ...(await stage.filled()), ...BEHIND_A_PROXY };
  const trainers = await stage.trainers(environment, PAGES);
  const server = await stage.server(environment, 'api,worker');
  const pages = await Promise.all(trainers.map((trainer) => openPage(server.url, trainer)));
  const example = await fetch(`${server.url}/api/v1/public/pages/${pages[0].slug}`);
  const bare = stage.child('echo-server.mjs', [await example.text()]);
  const bareUrl = await answer(bare);

  const run = (url, asked, seconds) => async () => {
    const load = stage.child('load.mjs');
    load.send({ trainers: asked, connections: CALLERS });
    const before = await server.cpuSeconds();
    load.send({ work: 'page', url, seconds });
    const result = await answer(load);
    const used = (await server.cpuSeconds()) - before;
    load.kill();
    if (result.refused > 0)
      throw new Error(`${result.refused} requests to ${url} were not answered with 2xx`);
    return { ...result, cpu: (used * 1e6) / result.requests };
  };
  const seconds = quick ? 3 : 6;
  const subjects = {
    one: run(server.url, pages.slice(0, 1), seconds),
    many: run(server.url, pages, seconds),
    bare: run(bareUrl, pages, seconds),
  };
  await run(server.url, pages, WARM_SECONDS)();
  const results = await interleave(subjects, quick ? 3 : 7);
  bare.kill();
  await server.close();
  const of = (name, key) => results[name].map((result) => result[key]);
  const lines = (name, what) => [
    line(`${what}, vazão`, 'pedidos/s', of(name, 'perSecond'), 'node:http só', of('bare', 'perSecond')),
    ...['p50', 'p99'].map((share) => line(`${what}, ${share}`, 'ms', of(name, share))),
    line(`${what}, CPU do servidor`, 'µs', of(name, 'cpu')),
  ];
  return {
    title: `Horários livres de 28 dias na página pública: ${CALLERS} visitantes sem parar, carga nos mesmos núcleos`,
    lines: [...lines('one', 'uma página'), ...lines('many', `${PAGES} páginas`)],
  };
}
