import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { History } from '../faults/harness/history.js';
import { Load } from '../faults/harness/load.js';
import { itIsShared } from '../replicas/shared.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { privatePort } from '../support/ports.js';

const MINUTE = 60_000;
const TRAINERS = 4;
const CLIENTS = 4;

const project = `rende-test-${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(path.join(tmpdir(), 'rende-compose-'));
const SECRETS = path.join(folder, 'secrets');
const environment: Record<string, string> = { SECRETS, SITE_ADDRESS: ':80', RENDE_VERSION: 'test' };
const apis = ['api-1', 'api-2'];
let web: { url: string };

/** Runs a `docker compose` command. Resolves with its output, and rejects with it where the command fails. */
async function compose(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    'docker',
    ['compose', '--env-file', '/dev/null', '--project-name', project, ...args],
    { env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout + stderr;
}

const cli = (...args: string[]) => compose('run', '--rm', '--no-deps', 'cli', ...args);
const docker = (...args: string[]) => promisify(execFile)('docker', args);

/** The health of each replica of these services. */
async function healthOf(...services: string[]): Promise<string[]> {
  const lines = (await compose('ps', '--format', '{{.Health}}', ...services)).trim().split('\n');
  return lines.sort();
}

beforeAll(async () => {
  const [http, https] = await Promise.all([privatePort(), privatePort()]);
  Object.assign(environment, { HTTP_PORT: String(http), HTTPS_PORT: String(https) });
  web = { url: `http://127.0.0.1:${http}` };
  await promisify(execFile)('sh', [path.resolve('infra/docker/secrets.sh')], { cwd: folder });
  await compose('up', '--detach', '--build');
}, 20 * MINUTE);

afterAll(async () => {
  await compose('down', '--volumes', '--timeout', '5');
  rmSync(folder, { recursive: true });
}, 2 * MINUTE);

it('starts: database, roles and migrations first, two replicas of each role, the pages in front', async () => {
  expect(await healthOf(...apis)).toEqual(['healthy', 'healthy']);
  await eventually(() => healthOf('worker'), ['healthy', 'healthy']);
  const page = await fetch(`${web.url}/agenda`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-encoding')).toBe('gzip');
  expect(await page.text()).toContain('<div id="root"');
  expect(page.headers.get('reporting-endpoints')).toBe('csp="/api/csp-reports"');
  const violation = { effectiveDirective: 'img-src', blockedURL: 'https://bad.example/' };
  const reported = await fetch(`${web.url}/api/csp-reports`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/reports+json' },
    body: JSON.stringify([{ type: 'csp-violation', body: violation }]),
  });
  expect(reported.status).toBe(204);
  const lines = await compose('logs', 'roles', 'migrate', ...apis, 'worker', 'web');
  for (const name of readdirSync(SECRETS)) {
    const secret = readFileSync(path.join(SECRETS, name), 'utf8').trim();
    if (secret !== '') expect(lines).not.toContain(secret);
  }
});

it("a request that is too large is refused by the web server, with the api's message", async () => {
  for (const mebibytes of [1.5, 3]) {
    const answer = await fetch(`${web.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: new Uint8Array(mebibytes * 1024 * 1024),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'too_large' });
  }
});

itIsShared(() => [web, web]);

/** Trainers work during this, and every command is answered at its first attempt. */
async function unnoticed(what: (load: Load) => Promise<void>): Promise<void> {
  const trainers = [];
  for (let n = 0; n < TRAINERS; n += 1) trainers.push(await signUp(web));
  const history = new History();
  const load = new Load(trainers, history, () => [web.url]);
  load.start(CLIENTS);
  await load.acknowledged(30);
  await what(load);
  await load.acknowledged(30);
  await load.stop();
  expect(history.complaints).toEqual([]);
  expect(history.commands.filter(({ attempts }) => attempts.length > 1)).toEqual([]);
  expect(await cli('audit:verify')).toMatch(/\d+ tenants? íntegros?/);
}

it(
  'replicas can be killed, added and removed without a failed command',
  () =>
    unnoticed(async (load) => {
      await docker('kill', `${project}-api-1-1`, `${project}-worker-1`);
      await load.acknowledged(60);
      await compose('up', '--detach', '--no-recreate', '--wait', '--no-deps', 'api-1', 'worker');
      await load.acknowledged(30);
      await compose('stop', 'api-2');
    }),
  5 * MINUTE,
);

it(
  'a replica that hangs is restarted',
  async () => {
    await compose('up', '--detach', '--wait', ...apis);
    const name = `${project}-api-1-1`;
    const restarts = async () =>
      Number((await docker('inspect', '--format', '{{.RestartCount}}', name)).stdout);
    const before = await restarts();
    const stop =
      'for p in /proc/[0-9]*; do if grep -q "^PPid:\\s*1$" $p/status; then kill -STOP ${p#/proc/}; fi; done';
    await docker('exec', name, 'sh', '-c', stop);
    await eventually(restarts, before + 1);
    await eventually(() => healthOf('api-1'), ['healthy']);
  },
  3 * MINUTE,
);

it(
  'an upgrade as in docs/operations.md causes no failed command',
  async () => {
    await compose('up', '--detach');
    await unnoticed(async () => {
      const { stdout: next } = await docker(
        'build',
        '--quiet',
        '--tag',
        'rende:next',
        '--label',
        `version=${project}`,
        '--file',
        'infra/docker/Dockerfile',
        '.',
      );
      environment.RENDE_VERSION = 'next';
      await compose('run', '--rm', 'migrate');
      for (const api of apis) await compose('up', '--detach', '--wait', api);
      await compose('up', '--detach', '--no-recreate', '--scale', 'worker=4', 'worker');
      await compose('up', '--detach');
      const running = (await compose('ps', '--quiet', ...apis, 'worker')).trim().split('\n');
      const { stdout: images } = await docker('inspect', '--format', '{{.Image}}', ...running);
      expect(images).toBe(next.repeat(4));
    });
  },
  5 * MINUTE,
);

it(
  'a backup is restored into an empty database as in docs/operations.md, without people who were forgotten since',
  async () => {
    const trainer = await signUp(web);
    const student = { nome: 'Beatriz Esquecida', telefone: '(11) 98765-4321' };
    const { id } = (await trainer.api.post('/students', student)).body;
    await cli('backup', '/backups/today.backup');
    await trainer.api.post(`/students/${id}/forget`);

    await compose('rm', '--stop', '--force', ...apis, 'worker', 'migrate', 'roles', 'postgres');
    await docker('volume', 'rm', `${project}_postgres`);
    await compose('up', '--detach', '--wait', 'postgres', 'redis');
    await compose('run', '--rm', 'migrate');
    const restored = await cli('restore', '/backups/today.backup');
    expect(restored).toContain('Lista de dados apagados: 1 pessoa, 1 neste backup.');
    await compose('up', '--detach');

    const { body } = await new Client(web.url).request<{ access_token: string }>('POST', '/auth/v1/token', {
      query: { grant_type: 'password' },
      body: { email: trainer.email, password: trainer.password },
    });
    const again = new Client(web.url, { ...trainer, accessToken: body.access_token, positions: new Map() });
    expect((await again.get(`/students/${id}`)).body).toMatchObject({ esquecido: true });
  },
  5 * MINUTE,
);

it(
  'the daily backup is made automatically, and the drill restores it next to the database in use',
  async () => {
    await eventually(() => healthOf('backup'), ['healthy']);
    const { stdout } = await docker('exec', `${project}-backup-1`, 'sh', '-c', 'ls /backups/rende-*.backup');
    const [file] = stdout.trim().split('\n');

    const told = await compose('run', '--rm', '--no-deps', 'drill', file!);

    expect(told).toContain('este backup pode ser restaurado');
    const databases = await compose(
      'exec',
      '--no-TTY',
      '--user',
      'postgres',
      'postgres',
      'psql',
      '--tuples-only',
      '--no-align',
      '--command',
      "select datname from pg_database where datname like 'rende%'",
    );
    expect(databases.trim()).toBe('rende');
  },
  5 * MINUTE,
);

it(
  'while there is no replica, a request waits for one',
  async () => {
    await compose('stop', ...apis);
    const answer = fetch(`${web.url}/health/live`);
    await docker('start', ...apis.map((api) => `${project}-${api}-1`));
    expect((await answer).status).toBe(200);
  },
  MINUTE,
);

it(
  'without a replica it answers with a problem of the API, and its log contains no personal data of requests',
  async () => {
    await compose('stop', ...apis);
    const asked = await new Client(web.url).request('GET', '/api/v1/students', { query: { q: 'Beatriz' } });
    expect(asked).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(asked.headers.get('retry-after')).toBe('1');
    const lines = await compose('logs', 'web');
    // Health checks of replicas; a request that contains these words is not logged.
    expect(lines).toContain('health_checker');
    expect(lines).not.toMatch(/Beatriz|remote_ip/);
  },
  MINUTE,
);

it('does not start without its secrets, and names the file that is missing', async () => {
  rmSync(path.join(SECRETS, 'redis_url'));
  await expect(cli('audit:verify')).rejects.toThrow(/secrets\/redis_url/);
});
