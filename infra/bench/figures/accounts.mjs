import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { cpf } from 'cpf-cnpj-validator';
import { backendModule } from '../../start/database.mjs';
import { atRate, interleave, line, percentiles } from '../measure.mjs';

const LOGINS_PER_SECOND = 50;
/** Several, because twenty logins of one person at once are treated as an attack that guesses passwords. */
const PEOPLE = 10;
const PASSWORD = 'Lagoa-Azul-42';

/** Measures the authentication of a request, a login, and how fifty logins per second slow down other requests. */
export async function accounts(stage, { quick }) {
  const environment = await stage.filled();
  const [trainer] = await stage.trainers(environment, 1);
  const server = await stage.server(environment, 'api,worker');
  const emails = [];
  while (emails.length < PEOPLE) emails.push(await signUp(server.url));
  const rounds = quick ? 3 : 5;

  const reading = (rate) => () => underLogins(server.url, { trainer, emails, rate, seconds: quick ? 4 : 6 });
  const loads = { quiet: reading(0), busy: reading(LOGINS_PER_SECOND) };
  for (const load of Object.values(loads)) await load();
  const { quiet, busy } = await interleave(loads, rounds);
  await server.close();

  const { app, subjects } = await inProcess(stage, environment, { trainer, email: emails[0] });
  for (const subject of Object.values(subjects)) await subject();
  const results = await interleave(subjects, rounds);
  await app.close();
  return {
    title: `Contas: a entrada de cada pedido, uma senha conferida, e ${LOGINS_PER_SECOND} entradas por segundo`,
    lines: [
      line('token e vínculos de um pedido, p50', 'ms', results.identify, 'select 1', results.select),
      line('uma entrada com senha, p50', 'ms', results.login, 'um hash argon2', results.hash),
      line('uma recusa, de um e-mail desconhecido, p50', 'ms', results.unknown, 'conhecido', results.wrong),
      line(
        `GET durante ${LOGINS_PER_SECOND} entradas/s, p50`,
        'ms',
        busy.map(({ p50 }) => p50),
        'sem entradas',
        quiet.map(({ p50 }) => p50),
      ),
      line(
        `GET durante ${LOGINS_PER_SECOND} entradas/s, p99`,
        'ms',
        busy.map(({ p99 }) => p99),
        'sem entradas',
        quiet.map(({ p99 }) => p99),
      ),
    ],
  };
}

/** Functions that each return the median duration of calls, made one after the other. */
async function inProcess(stage, environment, { trainer, email }) {
  const app = await stage.app(environment, 'api');
  const accountsModule = (file) => backendModule(`modules/accounts/${file}`);
  const [{ Sessions }, { PasswordGrant }, { Passwords }, { Database }] = await Promise.all([
    accountsModule('sessions/sessions.service.js'),
    accountsModule('auth/password.grant.js'),
    accountsModule('secrets/passwords.service.js'),
    backendModule('platform/database/database.js'),
  ]);
  const [sessions, grant, passwords, database] = [Sessions, PasswordGrant, Passwords, Database].map(app.get);
  const stored = await passwords.hash(PASSWORD);
  const device = { userAgent: null, address: null };
  const median = (times, work) => async () => {
    const durations = [];
    for (let n = 0; n < times; n += 1) durations.push(await timed(work));
    return percentiles(durations).p50;
  };
  const refused = (address) => grant.exchange(address, 'outra senha', device).catch(() => undefined);
  const subjects = {
    identify: median(2000, () => sessions.identify(`Bearer ${trainer.token}`)),
    select: median(2000, () => database.lookUp('select 1', [])),
    login: median(20, () => grant.exchange(email, PASSWORD, device)),
    wrong: median(20, () => refused(email)),
    unknown: median(20, () => refused(`${randomUUID()}@exemplo.com.br`)),
    hash: median(20, () => passwords.matches(stored, PASSWORD)),
  };
  return { app, subjects };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Durations of a `GET` every ten milliseconds during logins. */
async function underLogins(url, { trainer, emails, rate, seconds }) {
  const { token, students } = trainer;
  const durations = [];
  let turn = 0;
  const reading = atRate(100, seconds, async () => {
    const read = () =>
      fetch(`${url}/api/v1/students/${students[0]}`, { headers: { authorization: `Bearer ${token}` } }).then(
        (response) => response.arrayBuffer().then(() => refuse(response)),
      );
    durations.push(await timed(read));
  });
  const signingIn =
    rate > 0 ? atRate(rate, seconds, () => signIn(url, emails[(turn += 1) % emails.length])) : delay(0);
  await Promise.all([reading, signingIn]);
  return percentiles(durations);
}

async function signIn(url, email) {
  refuse(await post(`${url}/auth/v1/token?grant_type=password`, { email, password: PASSWORD }));
}

async function signUp(url) {
  const email = `${randomUUID()}@exemplo.com.br`;
  const data = { nome: 'Ana', cpf: cpf.generate(), data_nascimento: '1990-02-28', telefone: '11943214321' };
  refuse(await post(`${url}/auth/v1/signup`, { email, password: PASSWORD, data }));
  return email;
}

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
}

function refuse({ ok, status, url }) {
  if (!ok) throw new Error(`${new URL(url).pathname} answered ${status}`);
}
