import { Api } from '../../demo/api.mjs';
import { newAccount } from '../../demo/people.mjs';
import { interleave, line, percentiles } from '../measure.mjs';
import { answer } from '../stage.mjs';

const DAY = 86_400_000;
/** One series for each of these hours, twice a week for a year: each command creates 104 sessions. */
const HOURS = Array.from({ length: 14 }, (_, at) => `${String(6 + at).padStart(2, '0')}:00`);
const A_YEAR_TWICE_A_WEEK = 104;

/** Fills a year's agenda: measures booking each series, and listing the free times of 28 days. One request at a time. */
export async function agenda(stage, { quick }) {
  const environment = await stage.database();
  const server = await stage.server(environment, 'api,worker');
  const api = new Api(server.url);
  await api.signUp(newAccount('Agenda Cheia'));
  const { id: student_id } = await api.write('POST', '/students', {
    nome: 'Aluna de Carga',
    whatsapp: '(11) 98765-4321',
  });
  const recurrence = { duracao: 60, dias: [1, 3], intervalo: 1, vezes: A_YEAR_TWICE_A_WEEK };
  const wanted = { student_id, data: dayFromNow(1), ...recurrence };
  const datas = (await api.read(`/series/preview?${query({ ...wanted, hora: HOURS[0] })}`)).sessoes;
  const mesmo_assim = datas.map(({ data }) => data);
  const series = [];
  for (const hora of HOURS)
    series.push(await timed(() => api.write('POST', '/series', { ...wanted, hora, mesmo_assim })));

  const from = `${dayFromNow(90)}T03:00:00.000Z`;
  const to = `${dayFromNow(118)}T03:00:00.000Z`;
  const path = `/free-times?${new URLSearchParams({ from, to, minutos: '60' }).toString()}`;
  const bare = stage.child('echo-server.mjs', [JSON.stringify(await api.read(path))]);
  const bareUrl = await answer(bare);
  const requests = quick ? 100 : 400;
  const rounds = async (ask) => {
    const before = await server.cpuSeconds();
    const taken = [];
    for (let n = 0; n < requests; n += 1) taken.push(await timed(ask));
    return { ...percentiles(taken), cpu: (((await server.cpuSeconds()) - before) * 1000) / requests };
  };
  const subjects = {
    free: () => rounds(() => api.read(path)),
    bare: () => rounds(async () => (await fetch(bareUrl)).text()),
  };
  await subjects.free();
  const results = await interleave(subjects, quick ? 3 : 7);
  bare.kill();
  await server.close();
  const free = (name, key) => results[name].map((result) => result[key]);
  return {
    title: `Agenda de um ano com ${HOURS.length * A_YEAR_TWICE_A_WEEK} sessões, um pedido por vez`,
    lines: [
      line('série de 104 sessões, um comando', 'ms', series),
      ...['p50', 'p99'].map((key) =>
        line(
          `horários livres de 28 dias, ${key}`,
          'ms',
          free('free', key),
          'node:http só',
          free('bare', key),
        ),
      ),
      line('horários livres de 28 dias, CPU do servidor', 'ms', free('free', 'cpu')),
    ],
  };
}

const dayFromNow = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const query = ({ student_id: _, dias, ...wanted }) =>
  new URLSearchParams({ ...wanted, dias: dias.join(',') }).toString();

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
