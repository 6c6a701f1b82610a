// `npm run failover:drill`: what happens to acknowledged commands when the primary is lost. Starts a temporary Postgres with two
// synchronous standbys, an api and a worker that reach them by one address, and books sessions. Then follows the runbook of
// docs/operations.md twice: after the primary was killed, and after the next one froze, which comes back later. Prints for how
// long no command was acknowledged, and exits 0 if each acknowledged booking is in the log once, the audit finds nothing and
// the read tables are as a rebuild makes them. It connects to no database that is in use.
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Stage } from '../bench/stage.mjs';
import { Api } from '../demo/api.mjs';
import { newAccount } from '../demo/people.mjs';
import { ensureBuilt } from '../start/build.mjs';
import { addresses, adminUrl, migrateDatabase, prepareServer } from '../start/database.mjs';
import { ExpectedError, fail } from '../start/expected-error.mjs';
import { root } from '../start/folder.mjs';
import { startPostgres } from '../start/postgres.mjs';
import { freePort, runProgram } from '../start/processes.mjs';
import { randomPasswords } from '../start/temporary-postgres.mjs';

const TRAINERS = 8;
const SLOT_MS = 15 * 60_000;
const PAUSE_MS = 20;
const run = promisify(execFile);

const stage = new Stage();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => stage.close().finally(() => process.exit(130)));
try {
  await ensureBuilt(['backend']);
  await drill();
} catch (error) {
  fail(error);
} finally {
  await stage.close();
}

async function drill() {
  const passwords = randomPasswords();
  const [first, ...standbys] = await startServers(passwords);
  const address = await openAddress(first);
  const folder = await temporaryFolder();
  const environment = {
    ...addresses(`127.0.0.1:${address.port}`, passwords, 'rende'),
    RENDE_MASTER_KEY: randomBytes(32).toString('base64'),
    SEALS_FOLDER: path.join(folder, 'seals'),
    FORGOTTEN_FILE: path.join(folder, 'forgotten'),
    MAIL_FOLDER: folder,
  };
  const { url } = await stage.server(environment, 'api');
  await stage.server(environment, 'worker');
  const load = await startLoad(url);

  await signal(first, 'SIGKILL');
  const [second, third] = await furthestFirst(standbys);
  await promote(second);
  await set(third, 'primary_conninfo', conninfo(second, third));
  address.leadTo(second);
  await load.report('Primário morto (SIGKILL)');

  await signal(second, 'SIGSTOP');
  // No standby is left to wait for.
  await set(third, 'synchronous_standby_names', '');
  await promote(third);
  address.leadTo(third);
  await load.report('Primário congelado (SIGSTOP)');
  await signal(second, 'SIGCONT');
  const late = await ask(second, 'create table late ()', { query_timeout: 3_000 }).catch(
    ({ message }) => message,
  );
  if (late !== 'Query read timeout')
    throw new ExpectedError(
      `o antigo primário voltou e não ficou à espera de uma réplica: ${JSON.stringify(late)}`,
    );

  await check(third, environment, await load.stop());
}

/** A primary and two standbys that it waits for, one of them at each commit. */
async function startServers(passwords) {
  const servers = [];
  for (const name of ['a', 'b', 'c'])
    servers.push({ name, folder: await temporaryFolder(), port: await freePort(), passwords });
  const [first, ...standbys] = servers;
  const { stop } = await start(first);
  await prepareServer(`127.0.0.1:${first.port}`, passwords, 'rende');
  await migrateDatabase(addresses(`127.0.0.1:${first.port}`, passwords, 'rende'));
  await ask(first, `alter system set synchronous_standby_names = 'ANY 1 (*)'`);
  await stop();
  for (const standby of standbys) {
    const data = path.join(standby.folder, 'data');
    await run('cp', ['-a', path.join(first.folder, 'data'), data]);
    await run('cp', ['-p', path.join(data, 'PG_VERSION'), path.join(data, 'standby.signal')]);
    await appendFile(
      path.join(data, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo(first, standby)}'\n`,
    );
  }
  for (const server of servers) await start(server);
  return servers;
}

async function start(server) {
  const { folder, port, passwords } = server;
  const running = await startPostgres({ folder, port, password: passwords.superuser });
  server.pid = running.pid;
  stage.atEnd(() => signal(server, 'SIGKILL'));
  return running;
}

function conninfo(primary, { name }) {
  return `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.passwords.superuser} application_name=${name}`;
}

/** The server's processes are in sessions of their own. */
async function signal({ pid }, name) {
  const children = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  for (const each of [pid, ...children.stdout.split('\n').filter(Boolean)]) {
    try {
      process.kill(Number(each), name);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Only the one that has received most is sure to have every acknowledged command. */
async function furthestFirst(standbys) {
  const received = `select pg_last_wal_receive_lsn() - '0/0' as bytes`;
  const all = await Promise.all(
    standbys.map(async (standby) => ({ standby, bytes: Number((await ask(standby, received))[0].bytes) })),
  );
  return all.sort((one, other) => other.bytes - one.bytes).map(({ standby }) => standby);
}

function promote(standby) {
  return ask(standby, 'select pg_promote()');
}

async function set(server, name, value) {
  await ask(server, `alter system set ${name} = '${value}'`);
  await ask(server, 'select pg_reload_conf()');
}

async function ask({ port, passwords }, text, options) {
  const address = Object.assign(new URL(adminUrl(`127.0.0.1:${port}`, passwords)), { pathname: 'rende' });
  const client = new pg.Client({ connectionString: address.href, ...options });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** The address that the application knows, as a load balancer has it: leads to one server and cuts what led to another. */
async function openAddress(first) {
  let target = first;
  const open = new Set();
  const server = createServer((client) => {
    const behind = connect(target.port, '127.0.0.1');
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ]) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => open.delete(from) && to.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stage.atEnd(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    port: server.address().port,
    leadTo(other) {
      target = other;
      for (const socket of open) socket.destroy();
    },
  };
}

/** Each trainer books one session after the other, and repeats a booking with its key until it is acknowledged. */
async function startLoad(url) {
  const booked = [];
  let since = 0;
  let refused = 0;
  let isOver = false;
  const clients = [];
  for (let n = 0; n < TRAINERS; n += 1) {
    const api = new Api(url);
    await api.signUp(newAccount('Carga'));
    const { id } = await api.write('POST', '/students', { nome: 'Aluna', whatsapp: '(11) 98765-4321' });
    clients.push({ token: api.token, student: id });
  }
  const once = async ({ token, student }, slot) => {
    const key = randomUUID();
    const at = Date.UTC(2027, 0, 1) + slot * SLOT_MS;
    const body = JSON.stringify({
      student_id: student,
      inicio: new Date(at).toISOString(),
      fim: new Date(at + SLOT_MS).toISOString(),
    });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    for (;;) {
      const response = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body });
      const answer = await response.json();
      if (response.ok) return booked.push({ id: answer.id, at: performance.now() });
      if (response.status !== 503)
        throw new ExpectedError(`um agendamento foi recusado: ${JSON.stringify(answer)}`);
      refused += 1;
      await delay(PAUSE_MS);
    }
  };
  const running = Promise.all(
    clients.map(async (client) => {
      for (let slot = 0; !isOver; slot += 1) {
        await once(client, slot);
        await delay(PAUSE_MS);
      }
    }),
  );
  const more = async (count) => {
    const wanted = booked.length + count;
    for (
      const end = Date.now() + 60_000;
      booked.length < wanted;
      await Promise.race([delay(PAUSE_MS), running])
    )
      if (Date.now() > end) throw new ExpectedError('um minuto sem confirmar comandos.');
  };
  await more(200);
  return {
    /** Prints the longest time without an acknowledged command since the last report. */
    async report(what) {
      await more(200);
      const times = booked.slice(since).map(({ at }) => at);
      const longest = Math.max(...times.slice(1).map((at, index) => at - times[index]));
      const seconds = (longest / 1000).toFixed(1).replace('.', ',');
      console.log(`${what}: ${seconds} s sem confirmar comandos, ${refused} respostas 503.`);
      since = booked.length;
      refused = 0;
    },
    async stop() {
      isOver = true;
      await running;
      return booked.map(({ id }) => id);
    },
  };
}

async function check(primary, environment, booked) {
  const inLog = `select count(*) filter (where stream_id = any(array['session:${booked.join("','session:")}']))::int as known,
    count(*)::int as all from events where type = 'SessionBooked'`;
  const [{ known, all }] = await ask(primary, inLog);
  if (known !== booked.length || all !== booked.length)
    throw new ExpectedError(
      `${booked.length} agendamentos confirmados, no log estão ${known}, com outros ${all}.`,
    );
  const shown = async () => (await ask(primary, 'select count(*)::int as n from read.sessions'))[0].n;
  for (const end = Date.now() + 30_000; (await shown()) !== booked.length; await delay(100))
    if (Date.now() > end) throw new ExpectedError('as tabelas de leitura não acompanharam o log.');
  const live = await readTables(primary);
  await stage.rebuild(environment, []);
  const rebuilt = await readTables(primary);
  const other = Object.keys(live).filter((table) => live[table] !== rebuilt[table]);
  if (other.length > 0) throw new ExpectedError(`reconstruídas, são outras: ${other.join(', ')}.`);
  await runProgram(process.execPath, ['dist/backend/server.cjs', 'audit:verify'], {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...environment },
  });
  console.log(
    `Os ${booked.length} agendamentos confirmados estão no log, cada um uma vez; leituras e auditoria conferem.`,
  );
}

/** A hash of the rows of each read table. */
async function readTables(primary) {
  const tables = await ask(primary, `select tablename from pg_tables where schemaname = 'read'`);
  const hashes = tables.map(async ({ tablename }) => {
    const rows = `select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from read.${tablename} t`;
    return [tablename, (await ask(primary, rows))[0].hash];
  });
  return Object.fromEntries(await Promise.all(hashes));
}

async function temporaryFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-failover-'));
  await chmod(folder, 0o755);
  stage.atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
