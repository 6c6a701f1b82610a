// `npm start`: from a fresh clone to a running Rende. Uses only Node's own modules until the packages are installed.
import { spawn } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuilt, serverArguments } from './build.mjs';
import { migrateDatabase, openDatabase } from './database.mjs';
import { root } from './folder.mjs';
import { ExpectedError } from './expected-error.mjs';
import { inFolder } from './in-folder.mjs';
import { ensureInstalled } from './install.mjs';
import { freePort, portIsFree } from './processes.mjs';
import { MAX_RESTARTS, RESTART_WINDOW_MINUTES, Restarts } from './restarts.mjs';

const RESTART_PAUSE_MS = 1_000;
const READY_BOUND_MS = 5_000;

const port = Number(process.env.PORT || 3000);
let metricsPort = Number(process.env.METRICS_PORT || 9464);
const isWorkerOnly = process.env.RENDE_ROLES === 'worker';
const stopping = new AbortController();
/** The server's process, while there is one. */
let app;
let firstSignalAt;
let wasAnnounced = false;

function onSignal() {
  if (!firstSignalAt) {
    firstSignalAt = Date.now();
    console.log('Rende: encerrando… (Ctrl-C de novo para forçar)');
    stopping.abort();
    // One Ctrl-C arrives twice, from the terminal and from npm, so a second signal within 500 ms is ignored.
  } else if (Date.now() - firstSignalAt > 500) app?.kill('SIGKILL');
}
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
process.on('SIGHUP', onSignal);

await inFolder(stopping, async (folder, opened) => {
  await checkPorts(folder.afterKilled);
  const stop = stopping.signal;
  await ensureInstalled({ stop });
  await ensureBuilt(undefined, { stop });
  const database = await openDatabase();
  opened(database.stop);
  await migrateDatabase(database.environment);
  if (!stop.aborted) await serve(database);
});

/** Halts if a port is taken; if METRICS_PORT is not set, or 0, uses another port for metrics instead. */
async function checkPorts(mayEnd) {
  if (!isWorkerOnly && !(await isFree('PORT', port, mayEnd))) throw takenPort('PORT', port);
  const { METRICS_PORT } = process.env;
  if (METRICS_PORT !== '0' && (await isFree('METRICS_PORT', metricsPort, mayEnd))) return;
  if (Number(METRICS_PORT)) throw takenPort('METRICS_PORT', metricsPort);
  metricsPort = await freePort();
}

/** With `mayEnd`, waits up to 10 s: the port may belong to a server that is just ending, after a kill or a restart. */
async function isFree(name, value, mayEnd) {
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new ExpectedError(`${name}=${process.env[name]} não é uma porta.`);
  }
  for (let tries = mayEnd ? 100 : 1; tries > 0 && !stopping.signal.aborted; tries -= 1) {
    if (await portIsFree(value)) return true;
    await delay(100);
  }
  return stopping.signal.aborted;
}

function takenPort(name, value) {
  return new ExpectedError(
    `a porta ${value} já está em uso. Feche o outro programa, ou escolha outra: ${name}=${value + 1} npm start`,
  );
}

/**
 * Runs the server until it is told to stop. A server that was ready and ended by itself is restarted, while the database
 * keeps running. The number of restarts is limited, because a server that keeps ending needs a person.
 */
async function serve(database) {
  const restarts = new Restarts();
  let wasEverReady = false;
  for (;;) {
    const { end, wasReady } = await runServer(database);
    wasEverReady ||= wasReady;
    if (stopping.signal.aborted) return;
    if (end === 'database')
      throw new ExpectedError('o Postgres embutido terminou sozinho. Rode npm start de novo.');
    if (!wasEverReady) throw new ExpectedError(`o servidor terminou sozinho (${end}). O motivo está acima.`);
    const count = restarts.next(Date.now());
    if (count === null) {
      throw new ExpectedError(
        `o servidor terminou sozinho (${end}) depois de ${MAX_RESTARTS} reinícios em ${RESTART_WINDOW_MINUTES} minutos. O motivo está acima.`,
      );
    }
    console.log(
      `Rende: o servidor terminou sozinho (${end}) e está sendo iniciado de novo (${count} de ${MAX_RESTARTS}).`,
    );
    await delay(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    await checkPorts(true);
    if (stopping.signal.aborted) return;
  }
}

/** Runs the server once. `end` is why it ended: its exit code, its signal, 'stopped' or 'database'. */
async function runServer(database) {
  const server = spawn(
    process.execPath,
    ['--import', './infra/start/end-with-parent.mjs', ...serverArguments],
    {
      cwd: root,
      // In a session of its own: Ctrl-C reaches only this process, which ends the server, then the database.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        NODE_ENV: 'production',
        // Somebody who looks at a terminal wants to know what went wrong, not each request.
        ...(process.stdout.isTTY && { LOG_LEVEL: 'warn' }),
        ...process.env,
        ...database.environment,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      },
    },
  );
  app = server;
  const ended = new Promise((resolve) => {
    server.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const stopped = new Promise((resolve) => {
    if (stopping.signal.aborted) resolve('stopped');
    stopping.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const databaseGone = database.exited.then(() => 'database');
  const ready = announceWhenReady(ended);
  const end = await Promise.race([ended, stopped, databaseGone]);
  if (end === 'stopped' || end === 'database') server.kill('SIGTERM');
  await ended;
  return { end, wasReady: await ready };
}

/** Returns whether the server became ready before it ended. */
async function announceWhenReady(ended) {
  const { METRICS_HOST = '' } = process.env;
  const local = ['', '0.0.0.0', '::'].includes(METRICS_HOST) ? '127.0.0.1' : METRICS_HOST;
  const host = isIPv6(local) ? `[${local}]` : local;
  const announcement = isWorkerOnly
    ? 'O worker do Rende está trabalhando.'
    : `Rende está no ar em http://localhost:${port}`;
  let over = false;
  ended.then(() => (over = true));
  while (!over && !stopping.signal.aborted) {
    // If another program has taken the port, it may never answer.
    const signal = AbortSignal.timeout(READY_BOUND_MS);
    const ready = await fetch(`http://${host}:${metricsPort}/health/ready`, { signal }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) {
      console.log(announcement);
      if (!process.env.SMTP_URL)
        console.log(
          `Os e-mails são gravados em ${process.env.MAIL_FOLDER || '.rende/mail'} (nenhum SMTP_URL).`,
        );
      if (process.stdout.isTTY && !isWorkerOnly && !wasAnnounced) {
        console.log('Abra o endereço e crie uma conta, ou rode npm run demo para ver um ano de dados.');
        if (!process.env.LOG_LEVEL)
          console.log('Aqui aparecem só avisos e erros; LOG_LEVEL=info npm start mostra cada pedido.');
      }
      wasAnnounced = true;
      return true;
    }
    await delay(50);
  }
  return false;
}
