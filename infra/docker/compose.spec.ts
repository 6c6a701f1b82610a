import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

const compose = read('docker-compose.yml');
/** The top-level blocks by name; `services` has each service by name. */
const blocks = new Map(
  compose.split(/^(?=[a-z])/m).map((block) => [block.split(':', 1)[0]!, block.replace(/^\s*#.*\n/gm, '')]),
);
const services = new Map(
  blocks
    .get('services')!
    .split(/^ {2}(?=[\w-]+:$)/m)
    .slice(1)
    .map((block) => [block.split(':', 1)[0]!, block]),
);
/** The blocks that define the api replicas. */
const replicas = ['x-server', 'x-environment', 'x-api'].map((name) => blocks.get(name)!);
const servers = [...replicas, services.get('worker')!].join('');

/** Variables that the image sets, and those that no server must have. */
const fixed = [
  'PORT',
  'HOST',
  'METRICS_PORT',
  'NODE_ENV',
  'MAIL_FOLDER',
  'FORGOTTEN_FILE',
  'SEALS_FOLDER',
  'DATABASE_OWNER_URL',
  'CALENDAR_TEST_ORIGIN',
  'PIX_TEST_ORIGIN',
  'PUSH_TEST_ORIGIN',
  'WHATSAPP_TEST_ORIGIN',
];

it('every variable that the server reads reaches its container', () => {
  const variables = names(read('backend/platform/config/env.ts'), /^ {2}([A-Z_]+):/gm);
  expect(variables).toContain('REDIS_URL');
  const handed = names(servers, /^ +([A-Z_]+?)(?:_FILE)?:/gm);
  expect(variables.filter((name) => !handed.includes(name) && !fixed.includes(name))).toEqual([]);
});

it('docker-compose.yml reads what .env.example lists', () => {
  for (const name of names(read('.env.example'), /^(?:# )?([A-Z_]+)=/gm))
    expect(`${compose}COMPOSE_PROFILES:`).toMatch(new RegExp(`\\$\\{${name}:[-?]|^ *${name}:$`, 'm'));
});

it('every secret is created by secrets.sh, and is given as a file to the services that read it, and to no others', () => {
  const declared = names(blocks.get('secrets')!, /^ {4}file: \$\{SECRETS:-\.\/secrets\}\/(\w+)$/gm);
  expect(declared).toEqual(names(read('infra/docker/secrets.sh'), /^secret (\w+)/gm));
  const shared = names(blocks.get('x-environment')!, /\/run\/secrets\/(\w+)/g);
  for (const block of [blocks.get('x-api')!, ...services.values()]) {
    const inherited = block.includes('<<: *environment') ? shared : [];
    const wanted = [...new Set([...inherited, ...names(block, /\/run\/secrets\/(\w+)/g)])];
    const list = /^ {2,4}secrets:( \[.*\]|(?:\n {4,6}- \w+)+)$/m.exec(block)?.[1] ?? '';
    expect(names(list, /(\w+)/g).sort()).toEqual(wanted.sort());
  }
  expect(compose).not.toMatch(/^ *[A-Z_]*(PASSWORD|SECRET|KEY|_URL): (?!\/run\/secrets\/)/m);
});

it('secrets.sh takes passwords from an .env, creates missing ones, and keeps existing secrets', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rende-secrets-'));
  const make = () => execFileSync('sh', [path.resolve('infra/docker/secrets.sh')], { cwd: folder });
  const secret = (name: string) => read(path.join(folder, 'secrets', name)).trim();
  writeFileSync(
    path.join(folder, '.env'),
    'MAIL_FROM=Rende <a@b.c>\nRENDE_APP_PASSWORD=kept\nREDIS_PASSWORD=\n',
  );
  make();
  expect(secret('database_url')).toBe('postgres://rende_app:kept@postgres:5432/rende');
  expect(secret('redis_password')).toMatch(/^[0-9a-f]{48}$/);
  expect(secret('redis_url')).toBe(`redis://:${secret('redis_password')}@redis:6379`);
  expect(Buffer.from(secret('rende_master_key'), 'base64')).toHaveLength(32);
  expect(secret('smtp_url')).toBe('');
  const before = secret('database_owner_url');
  make();
  expect(secret('database_owner_url')).toBe(before);
  rmSync(folder, { recursive: true });
});

it('every service that has to keep running is restarted when it ends', () => {
  const staying = [...services].filter(([, block]) => /^ {4}(restart|<<: \*(server|api))/m.test(block));
  expect(staying.map(([name]) => name)).toEqual([
    'postgres',
    'redis',
    'api-1',
    'api-2',
    'api-3',
    'api-4',
    'worker',
    'backup',
    'web',
  ]);
  expect(blocks.get('x-server')).toMatch(/^ {2}restart: unless-stopped$/m);
  expect(blocks.get('x-api')).toContain('<<: *server');
  expect(compose.match(/^ *restart: (?!unless-stopped$)/gm)).toBeNull();
});

it('the web server knows every api replica by name', () => {
  const [, always, more] = /reverse_proxy ([^{}]+) \{\$(\w+)\} \{/.exec(read('infra/docker/Caddyfile'))!;
  const upstreams = `${always} ${new RegExp(`^# ${more}=(.+)$`, 'm').exec(read('.env.example'))![1]}`;
  const apis = [...services.keys()].filter((name) => name.startsWith('api-'));
  expect(upstreams.split(' ')).toEqual(apis.map((name) => `${name}:3000`));
});

it('the web server sends no further requests to a replica that has not answered for two seconds', () => {
  const proxy = /reverse_proxy [^]*/.exec(read('infra/docker/Caddyfile'))![0];
  const [interval, timeout, fails] = ['interval', 'timeout', 'fails'].map((name) => {
    const [, value, unit] = new RegExp(`^\\s*health_${name} (\\d+)(ms|s)?$`, 'm').exec(proxy)!;
    return Number(value) * (unit === 's' ? 1_000 : 1);
  }) as [number, number, number];
  expect(proxy).toMatch(/^\s*health_uri \/health\/live$/m);
  // Each health check begins when it is due, even if the previous one has not ended.
  expect(interval * fails + timeout).toBeLessThanOrEqual(2_000);
});

it('our image is named by its version, which .env.example has from package.json and which has no default', () => {
  expect(names(compose, /^ +image: (rende\S*)/gm)).toEqual(['rende:${RENDE_VERSION:?Diga']);
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('.env.example')).toContain(`\nRENDE_VERSION=${version}\n`);
  expect(compose).not.toContain('latest');
});

it('a replica that does not answer is killed by its health check, for which the first process has to reap children', () => {
  const [, look] = /^HEALTHCHECK [^]*?CMD \["node", "([\w./]+)"\]$/m.exec(read('infra/docker/Dockerfile'))!;
  expect(read(look!)).toContain('SIGKILL');
  expect(blocks.get('x-rende')).toMatch(/^ {2}init: true$/m);
  for (const name of ['x-server', 'x-api']) expect(blocks.get(name)).not.toContain('healthcheck');
  const own = [...services.values()].filter((block) => /^ {4}<<: \*(server|api)/m.test(block));
  expect(own).toHaveLength(5);
  expect(own.filter((block) => block.includes('healthcheck'))).toEqual([]);
});

it('images are pinned to a version', () => {
  const images = [
    ...names(compose, /image: (\S+:\d\S+)/g),
    ...names(read('infra/docker/Dockerfile'), /^ARG NODE=(\S+)/gm),
  ];
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?-\w+/);
});

it('every service that keeps running has a memory limit, and Redis a lower one of its own', () => {
  for (const name of ['postgres', 'redis', 'backup', 'web'])
    expect(services.get(name)).toMatch(/^ {4}mem_limit: /m);
  expect(blocks.get('x-server')).toMatch(/^ {2}mem_limit: /m);
  expect(services.get('redis')).toContain('--maxmemory 256mb --maxmemory-policy noeviction');
});

it('every container drops all capabilities, and adds only those that its start needs', () => {
  for (const [name, block] of services)
    expect([name, /^ {4}(cap_drop: \[ALL\]|<<: \*(rende|server|api))$/m.test(block)]).toEqual([name, true]);
  expect(blocks.get('x-rende')).toContain('cap_drop: [ALL]');
  expect(names(compose, /cap_add: \[(.*)\]/g)).toEqual([
    'CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID',
    'NET_BIND_SERVICE',
  ]);
});

it('no replica knows the password of the owner or of the superuser', () => {
  expect(servers).toContain('database_url');
  expect(servers).not.toMatch(/owner|admin|postgres_password/i);
});
