import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startPostgres } from '../../infra/start/postgres.mjs';
import { processInfo } from '../../infra/start/processes.mjs';
import { privatePort } from '../support/ports.js';

interface Start {
  child: ChildProcess;
  port: number;
  output(): string;
  /** Resolves to the exit code; null after a kill. */
  ended: Promise<number | null>;
}

const copied = ['backend', 'dist', 'frontend', 'infra', 'migrations'];
const copiedFiles = ['.swcrc', 'nest-cli.json', 'package.json', 'package-lock.json', 'tsconfig.json'];
let folder: string;
const starts: Start[] = [];

/** A copy of the project, so that the test has its own `.rende`. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-start-'));
  await chmod(folder, 0o755);
  for (const name of [...copied, ...copiedFiles]) {
    await cp(name, path.join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
});
afterAll(async () => {
  for (const { child, ended } of starts) {
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true });
});

async function start(env: Record<string, string> = {}): Promise<Start> {
  const port = Number(env.PORT ?? (await privatePort()));
  const child = spawn(process.execPath, ['infra/start/start.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      METRICS_PORT: String(await privatePort()),
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const started = { child, port, output: () => output, ended };
  starts.push(started);
  return started;
}

async function started(env?: Record<string, string>): Promise<Start> {
  const run = await start(env);
  const address = `Rende está no ar em http://localhost:${run.port}`;
  while (!run.output().includes(address)) {
    if (run.child.exitCode !== null) throw new Error(run.output());
    await delay(25);
  }
  return run;
}

async function postgresPid(): Promise<number> {
  const text = await readFile(path.join(folder, '.rende/postgres/data/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** The id of the server process that `npm start` has started, other than this one. */
async function serverPid({ child }: Start, other?: number): Promise<number> {
  for (;;) {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ').map(Number)) {
      const info = pid === other ? null : await processInfo(pid);
      if (info?.command.includes('dist/backend/server.cjs')) return pid;
    }
    await delay(25);
  }
}

describe('npm start', () => {
  let run: Start;

  test('starts on an empty folder', async () => {
    run = await started();
    const page = await fetch(`http://localhost:${run.port}/`);
    expect(await page.text()).toContain('<title>');
    const secrets = await readFile(path.join(folder, '.rende/secrets.json'), 'utf8');
    expect(run.output()).not.toContain((JSON.parse(secrets) as { masterKey: string }).masterKey);
  });

  test('for the second time in the same folder names the first one', async () => {
    const second = await start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `Rende: já está rodando nesta pasta (processo ${run.child.pid}). Use o que está aberto ou pare-o com Ctrl-C (kill ${run.child.pid}).\n`,
    );
  });

  test('cleans up after one that was killed', async () => {
    const postgres = await postgresPid();
    run.child.kill('SIGKILL');
    await run.ended;
    run = await started();
    expect(await processInfo(postgres)).toBeNull();
  });

  test('stops in order, leaving nothing behind', async () => {
    const postgres = await postgresPid();
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(await processInfo(postgres)).toBeNull();
    await expect(fetch(`http://localhost:${run.port}/`)).rejects.toThrow();
  });
});

test('a server that ends by itself is started again over the same Postgres, until it has ended too often', async () => {
  const run = await started({ METRICS_PORT: '0' });
  const address = `Rende está no ar em http://localhost:${run.port}`;
  const postgres = await postgresPid();
  const restarted = (times: number) =>
    `Rende: o servidor terminou sozinho (SIGKILL) e está sendo iniciado de novo (${times} de 5).\n`;
  let server = await serverPid(run);
  process.kill(server, 'SIGKILL');
  while (run.output().split(address).length < 3) {
    if (run.child.exitCode !== null) throw new Error(run.output());
    await delay(25);
  }
  expect(run.output()).toContain(restarted(1));
  expect((await fetch(`http://localhost:${run.port}/health/ready`)).status).toBe(200);
  expect(await postgresPid()).toBe(postgres);
  // The following ones end before they are ready.
  for (let times = 2; times <= 6; times += 1) {
    server = await serverPid(run, server);
    process.kill(server, 'SIGKILL');
    if (times <= 5) await eventually(() => Promise.resolve(run.output().includes(restarted(times))), true);
  }
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(
    'Rende: o servidor terminou sozinho (SIGKILL) depois de 5 reinícios em 10 minutos. O motivo está acima.\n',
  );
  expect(await processInfo(postgres)).toBeNull();
});

describe('the Postgres of npm start', () => {
  const starts = async () => {
    const postgres = path.join(folder, '.rende/postgres');
    await (await startPostgres({ folder: postgres, password: 'x', port: undefined })).stop();
  };
  const lockedBy = (pid: number) =>
    writeFile(path.join(folder, '.rende/postgres/data/postmaster.pid'), `${pid}\n`);

  test('starts although its lock file names another process', async () => {
    await lockedBy(process.pid);
    await starts();
  });

  test('starts although its lock file names a process that ended and was not reaped', async () => {
    // The child ends after the shell has been replaced by a program that does not wait for children.
    const child = 'until grep -qx sleep /proc/$$/comm; do :; done';
    const parent = spawn('sh', ['-c', `(${child}) & echo $!; exec sleep 600`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
    await eventually(async () => /\) Z /.test(await readFile(`/proc/${Number(pid)}/stat`, 'utf8')), true);
    await lockedBy(Number(pid));
    await starts();
    parent.kill();
  });

  test('is created again if its creation was interrupted', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'rende-postgres-'));
    await chmod(other, 0o755);
    await mkdir(path.join(other, 'postgres/data.part/base'), { recursive: true });
    const { stop } = await startPostgres({
      folder: path.join(other, 'postgres'),
      password: 'x',
      port: undefined,
      durable: false,
    });
    await stop();
    await rm(other, { recursive: true });
  });
});

test('a taken port is named, with advice', async () => {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const run = await start({ PORT: String(port) });
  expect(await run.ended).toBe(1);
  expect(run.output()).toBe(
    `Rende: a porta ${port} já está em uso. Feche o outro programa, ou escolha outra: PORT=${port + 1} npm start\n`,
  );
  server.close();
});

test('a port that another program took while the server was down is named, and the server is not restarted in vain', async () => {
  const metricsPort = await privatePort();
  const run = await started({ METRICS_PORT: String(metricsPort) });
  // Takes the port as soon as the server has released it, long before the next server needs it.
  const take = `(function take() {
    require('http').createServer().on('error', () => { console.log('taken'); setTimeout(take, 5); }).listen(${metricsPort});
  })()`;
  const taker = spawn(process.execPath, ['-e', take], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(taker.stdout.resume(), 'data');
  process.kill(await serverPid(run), 'SIGKILL');
  expect(await run.ended).toBe(1);
  taker.kill();
  expect(run.output()).toContain('está sendo iniciado de novo (1 de 5)');
  expect(run.output()).not.toContain('(2 de 5)');
  expect(run.output()).toContain(
    `Rende: a porta ${metricsPort} já está em uso. Feche o outro programa, ou escolha outra: METRICS_PORT=${metricsPort + 1} npm start\n`,
  );
});

test('a database whose keys are lost is not opened with new ones', async () => {
  await rm(path.join(folder, '.rende/secrets.json'));
  const run = await start();
  expect(await run.ended).toBe(1);
  expect(run.output()).toMatch(/^Rende: falta .*secrets\.json/);
});

test('an incomplete set of addresses of a given Postgres is named', async () => {
  const run = await start({ DATABASE_URL: 'postgres://rende_app:x@127.0.0.1/rende' });
  expect(await run.ended).toBe(1);
  expect(run.output()).toMatch(/^Rende: falta DATABASE_OWNER_URL e DATABASE_PROJECTOR_URL/);
});
