// `node infra/ops/release-fixture.mjs`: saves what this version stores in a database as a file of test/fixtures/releases,
// named after the last migration: the data of a small demonstration trainer, created by this version on a temporary
// Postgres. The first line is JSON: the master key, the trainer's login, and a hash of the fixture of each event that is
// published with it. Then come the tables in the format of COPY.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { ensureBuilt, serverArguments } from '../start/build.mjs';
import { root } from '../start/folder.mjs';
import { fail } from '../start/expected-error.mjs';
import { freePort } from '../start/processes.mjs';
import { startTemporaryPostgres } from '../start/temporary-postgres.mjs';

/** All tables except those that migrations fill and those with short-lived data. */
const TABLES = `select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'auth', 'read')
    and c.relname not in ('schema_migrations', 'socket_io_attachments')
  order by 1`;
const IS_BEHIND = `select from tenant_log l join projection_checkpoint c using (tenant_id) where c.position < l.position`;

const masterKey = randomBytes(32).toString('base64');

try {
  await ensureBuilt(['backend']);
  const temporary = await startTemporaryPostgres('rende');
  try {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(temporary.adminUrl), { pathname: 'rende' }).href,
    });
    await client.connect();
    const login = await live(temporary.environment, client);
    const rows = await dump(client);
    await client.end();
    const name = (await readdir(path.join(root, 'migrations'))).sort().at(-1).replace('.sql', '');
    const folder = path.join(root, 'test/fixtures/releases');
    await mkdir(folder, { recursive: true });
    const text = `${JSON.stringify({ masterKey, ...login, events: await publishedEvents() })}\n${rows}`;
    await writeFile(path.join(folder, `${name}.gz`), gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
    console.log(`test/fixtures/releases/${name}.gz`);
  } finally {
    await temporary.stop();
  }
} catch (error) {
  fail(error);
}

/** Runs the server and fills it with the demonstration. Returns the trainer's login. */
async function live(addresses, client) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-release-'));
  const [PORT, METRICS_PORT] = [await freePort(), await freePort()].map(String);
  const server = spawn(process.execPath, serverArguments, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...addresses,
      NODE_ENV: 'production',
      RENDE_MASTER_KEY: masterKey,
      PORT,
      METRICS_PORT,
      MAIL_FOLDER: folder,
      FORGOTTEN_FILE: path.join(folder, 'forgotten'),
      SEALS_FOLDER: path.join(folder, 'seals'),
    },
  });
  while (!(await fetch(`http://127.0.0.1:${METRICS_PORT}/health/ready`).catch(() => undefined))?.ok)
    await delay(100);
  const demo = spawn(process.execPath, ['infra/demo/demo.mjs', '--every', '9'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, RENDE_URL: `http://127.0.0.1:${PORT}` },
  });
  let said = '';
  demo.stdout.on('data', (text) => (said += text));
  await once(demo, 'close');
  while ((await client.query(IS_BEHIND)).rowCount) await delay(100);
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(folder, { recursive: true });
  const [, email, password] = /e-mail\s+(\S+)\s+senha\s+(\S+)/.exec(said);
  return { email, password };
}

async function publishedEvents() {
  const events = {};
  const fixtures = path.join(root, 'test/fixtures/events');
  for (const file of await readdir(fixtures)) {
    const types = JSON.parse(await readFile(path.join(fixtures, file), 'utf8'));
    for (const [type, versions] of Object.entries(types))
      for (const [version, data] of Object.entries(versions)) {
        const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
        events[`${type} ${version}`] = hash.slice(0, 8);
      }
  }
  return events;
}

async function dump(client) {
  const { rows: tables } = await client.query(TABLES);
  let text = '';
  for (const { name, columns } of tables) {
    let rows = '';
    const stream = client.query(copyStreams.to(`copy ${name} (${columns}) to stdout`));
    for await (const chunk of stream) rows += chunk.toString('utf8');
    if (rows) text += `copy ${name} (${columns}) from stdin\n${rows}\\.\n`;
  }
  return text;
}
