import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

const compose = read('docker-compose.yml');
/** The image's own, and what no server of ours is to know. */
const fixed = [
  ...['PORT', 'HOST', 'METRICS_PORT', 'NODE_ENV', 'MAIL_FOLDER', 'FORGOTTEN_FILE'],
  'DATABASE_OWNER_URL',
];

it('every variable that the server reads reaches its container', () => {
  const server = compose.slice(compose.indexOf('\n  api:'), compose.indexOf('\n  cli:'));
  const variables = names(read('backend/platform/config/env.ts'), /^ {2}([A-Z_]+):/gm);
  expect(variables).toContain('REDIS_URL');
  const handed = names(server, /^ {6}([A-Z_]+):/gm);
  expect(variables.filter((name) => !handed.includes(name) && !fixed.includes(name))).toEqual([]);
});

it('docker-compose.yml reads what .env.example lists, and demands each secret', () => {
  const example = read('.env.example');
  const secrets = names(compose, /\$\{([A-Z_]+):\?/g).sort();
  expect(secrets).toEqual(names(example, /^([A-Z_]+)=$/gm).sort());
  for (const name of names(example, /^([A-Z_]+)=./gm))
    expect(compose).toMatch(new RegExp(`\\$\\{${name}:-|^ {6}${name}:$`, 'm'));
});

it('every service that is to stay up is started again when it ends', () => {
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nnetworks:'));
  const staying = services
    .split(/^ {2}(?=\w+:$)/m)
    .filter((service) => /^ {2,4}(restart|<<: \*server)/m.test(service));
  expect(staying.map((service) => service.split(':', 1)[0])).toEqual([
    'postgres',
    'redis',
    'api',
    'worker',
    'backup',
    'web',
  ]);
  expect(compose).toMatch(/x-server: &server\n {2}<<: \*rende\n {2}restart: unless-stopped\n/);
  expect(services.match(/^ {4}restart: (?!unless-stopped$)/gm)).toBeNull();
});

it('images are pinned to a version', () => {
  const images = [
    ...names(compose, /image: (\S+:\d\S+)/g),
    ...names(read('infra/docker/Dockerfile'), /^ARG NODE=(\S+)/gm),
  ];
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?-\w+/);
});

it('what runs all the time has a limit of memory, and Redis one of its own below it', () => {
  const services = compose
    .slice(0, compose.indexOf('\nnetworks:'))
    .split(/^ {2}(?=\w+:$)/m)
    .filter((text) => /^(postgres|redis|backup|web):/.test(text));
  expect(services).toHaveLength(4);
  for (const service of services) expect(service).toMatch(/^ {4}mem_limit: /m);
  expect(compose).toMatch(/^x-server:[^]*?^ {2}mem_limit: /m);
  expect(compose).toMatch(/--maxmemory,\s+256mb,\s+--maxmemory-policy,\s+noeviction/);
});

it('no replica knows the password of the owner or of the superuser', () => {
  const server = compose.slice(compose.indexOf('\n  api:'), compose.indexOf('\n  cli:'));
  expect(server).toContain('DATABASE_URL: *app');
  expect(server).not.toMatch(/OWNER|ADMIN|POSTGRES_PASSWORD|\*owner/);
});
