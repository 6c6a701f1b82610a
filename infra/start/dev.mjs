// `npm run dev`: runs the migrated embedded Postgres, the backend with `nest start --watch`, and the frontend with Vite's
// hot reload, at one address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateDatabase, openDatabase } from './database.mjs';
import { root } from './folder.mjs';
import { fail, ExpectedError } from './expected-error.mjs';
import { inFolder } from './in-folder.mjs';
import { ensureInstalled } from './install.mjs';
import { freePort, portIsFree, runProgram } from './processes.mjs';

const port = Number(process.env.PORT || 3000);
const address = `http://localhost:${port}`;
const nest = 'node_modules/@nestjs/cli/bin/nest.js';
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());

await inFolder(stopping, async (_folder, opened) => {
  if (!(await portIsFree(port)))
    throw new ExpectedError(`a porta ${port} já está em uso. Escolha outra: PORT=${port + 1} npm run dev`);
  const stop = stopping.signal;
  await ensureInstalled({ stop });
  await forgetBuild();
  opened(forgetBuild);
  await runProgram(process.execPath, [nest, 'build'], { cwd: root, stop });
  const database = await openDatabase();
  opened(database.stop);
  await migrateDatabase(database.environment);
  if (!stop.aborted) await serve(database);
});

/** The watcher compiles into the build's folder, so the next build must not take its output for a finished build. */
function forgetBuild() {
  return rm(path.join(root, 'dist/backend.sha256'), { force: true });
}

async function serve(database) {
  const [apiPort, metricsPort] = [await freePort(), await freePort()];
  const backend = start([nest, 'start', '--watch'], {
    ...database.environment,
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    METRICS_PORT: String(metricsPort),
    SITE_URL: process.env.SITE_URL || address,
  });
  const frontend = start(['node_modules/vite/bin/vite.js', 'frontend', `--port=${port}`, '--strictPort'], {
    RENDE_API: `http://127.0.0.1:${apiPort}`,
  });
  const stopped = once(stopping.signal, 'abort');
  void announceWhenReady(metricsPort);
  const ends = [backend, frontend].map((child) => once(child, 'exit'));
  await Promise.race([stopped, database.exited, ...ends]);
  const wasStopped = stopping.signal.aborted;
  stopping.abort();
  await Promise.all([backend, frontend].map(endGroup));
  if (!wasStopped) fail(new ExpectedError('parte do npm run dev terminou sozinha. O motivo está acima.'));
}

/** Starts a program in a session of its own: Ctrl-C reaches only this process, which ends the program, then the database. */
function start(args, environment) {
  return spawn(process.execPath, ['--import', './infra/start/end-with-parent.mjs', ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', ...environment },
  });
}

/** Ends a process and all its children: a server that Nest is just starting may outlive Nest. */
async function endGroup({ pid }) {
  for (let tries = 100; tries > 0; tries -= 1) {
    try {
      process.kill(-pid, tries === 1 ? 'SIGKILL' : 'SIGTERM');
    } catch {
      return;
    }
    await delay(250);
  }
}

async function announceWhenReady(metricsPort) {
  // A server that is just starting may leave a request without an answer.
  const ask = (url) => fetch(url, { signal: AbortSignal.timeout(5_000) });
  const isReady = () =>
    Promise.all([ask(`http://127.0.0.1:${metricsPort}/health/ready`), ask(address)]).then(
      (answers) => answers.every(({ ok }) => ok),
      () => false,
    );
  while (!stopping.signal.aborted && !(await isReady())) await delay(100);
  if (!stopping.signal.aborted) console.log(`Rende em desenvolvimento em ${address}`);
}
