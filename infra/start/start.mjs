// `npm start`: from a bare clone to a running Rende. Uses nothing but Node's own modules until the packages are there.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { migrateDatabase, openDatabase } from './database.mjs';
import { claimFolder, describeFolderError, root } from './folder.mjs';
import { fail, Halt } from './halt.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode, portIsFree } from './processes.mjs';

const port = Number(process.env.PORT || 3000);
const stopping = new AbortController();
/** The server's process, while there is one. */
let app;
let firstSignalAt;

function onSignal() {
  if (!firstSignalAt) {
    firstSignalAt = Date.now();
    console.log('Rende: encerrando… (Ctrl-C de novo para forçar)');
    stopping.abort();
    // npm passes on a Ctrl-C that the terminal sent to this process as well: that is one wish, not two.
  } else if (Date.now() - firstSignalAt > 500) app?.kill('SIGKILL');
}
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
process.on('SIGHUP', onSignal);
// A terminal that was closed takes no more text; what is running still has to be stopped in order.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** What was opened, to be closed in the opposite order. */
const closers = [];

try {
  checkNode();
  const folder = await claimFolder();
  closers.unshift(folder.release);
  await checkPort(folder.afterKilled);
  const stop = stopping.signal;
  await ensureInstalled({ stop });
  await ensureBuilt(undefined, { stop });
  const database = await openDatabase();
  closers.unshift(database.stop);
  await migrateDatabase(database.environment);
  if (!stop.aborted) await serve(database);
} catch (error) {
  if (!stopping.signal.aborted) fail(describeFolderError(error));
}
for (const close of closers) await close();
process.exit();

async function checkPort(afterKilled) {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Halt(`PORT=${process.env.PORT} não é uma porta.`);
  // The server of a start that was killed notices, and ends in order, which takes a moment.
  for (let tries = afterKilled ? 100 : 1; tries > 0; tries -= 1) {
    if (await portIsFree(port)) return;
    await delay(100);
  }
  throw new Halt(
    `a porta ${port} já está em uso. Feche o outro programa, ou escolha outra: PORT=${port + 1} npm start`,
  );
}

/** Runs the app until it is told to stop; then it drains by itself. */
async function serve(database) {
  app = spawn(
    process.execPath,
    ['--enable-source-maps', '--import', './infra/start/end-with-parent.mjs', 'dist/backend/main.js'],
    {
      cwd: root,
      // A session of its own: Ctrl-C reaches only this process, which ends the app and then the database.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { NODE_ENV: 'production', ...process.env, ...database.environment, PORT: String(port) },
    },
  );
  const ended = new Promise((resolve) => {
    app.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const stopped = new Promise((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve('stopped')),
  );
  const databaseGone = database.exited.then(() => 'database');
  announceWhenReady(ended);

  const first = await Promise.race([ended, stopped, databaseGone]);
  if (first !== 'stopped' && first !== 'database') {
    if (!stopping.signal.aborted)
      throw new Halt(`o servidor terminou sozinho (${first}). O motivo está acima.`);
    return;
  }
  app.kill('SIGTERM');
  await ended;
  if (first === 'database') throw new Halt('o Postgres embutido terminou sozinho. Rode npm start de novo.');
}

async function announceWhenReady(ended) {
  let over = false;
  ended.then(() => (over = true));
  while (!over && !stopping.signal.aborted) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return console.log(`Rende está no ar em http://localhost:${port}`);
    await delay(50);
  }
}
