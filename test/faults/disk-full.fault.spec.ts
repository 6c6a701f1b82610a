import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { startPostgres } from '../../infra/start/postgres.mjs';
import { migrate } from '../../backend/platform/database/migrator.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { describeWithDisk, type SmallDisk, smallDisk } from './harness/small-disk.js';
import { openStage, type Stage } from './harness/stage.js';

const MEGABYTES = 320;

/** The disks of the tables and of Postgres' write-ahead log. */
let tables: SmallDisk;
let notes: SmallDisk;
let stage: Stage;

async function moveNotes(): Promise<void> {
  const [folder] = await readdir(tables.folder);
  const place = path.join(tables.folder, folder!, 'data/pg_wal');
  // Keep the write-ahead log small, so that only the test fills its disk: by default it may take a gigabyte.
  await stage.database.query("alter system set max_wal_size = '128MB'");
  await stage.database.crash();
  execFileSync('mv', [place, notes.folder]);
  await symlink(path.join(notes.folder, 'pg_wal'), place);
  await stage.database.restart();
}

/** The statuses of all attempts so far, in order. */
const statuses = () => stage.history.commands.flatMap(({ attempts }) => attempts.map(({ status }) => status));

/** Resolves when `count` more attempts were answered with 503. */
async function refusedMore(count: number): Promise<void> {
  const refused = () => statuses().filter((status) => status === 503).length;
  const end = refused() + count;
  await eventually(() => Promise.resolve(refused() >= end), true);
}

/** Whether the first API process can write: by its readiness, and by its metric. */
async function writes() {
  const { opsUrl } = stage.apis[0]!;
  const ready = await fetch(`${opsUrl}/health/ready`);
  const { checks } = (await ready.json()) as { checks: Record<string, string> };
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^rende_disk_free_bytes\{folder="mail"\} \d+/m);
  return { status: ready.status, writes: checks.writes, full: /^rende_database_full 1$/m.test(metrics) };
}

const isUp = () =>
  stage.database.query('select 1').then(
    () => true,
    () => false,
  );

const startedAt = () => stage.database.query('select pg_postmaster_start_time()::text');

describeWithDisk('a full disk', () => {
  beforeAll(async () => {
    tables = smallDisk(MEGABYTES);
    notes = smallDisk(MEGABYTES);
    stage = await openStage({ apis: 1, workers: 1, postgres: { parent: tables.folder } });
    await moveNotes();
  });

  it('has commands refused with 503 while reads go on, and is forgotten once there is space', async () => {
    const started = await startedAt();
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await tables.fill();
      await refusedMore(50);
      for (const { api } of stage.trainers)
        expect((await api.request('GET', '/api/v1/students')).status).toBe(200);
      // A small command may still fit on a page and reset the state to ok, until the next one fails.
      await eventually(writes, { status: 200, writes: 'unavailable', full: true });
      await tables.free();
      await load.acknowledged(50);
      await eventually(writes, { status: 200, writes: 'ok', full: false });
    });
    expect(await startedAt()).toEqual(started);
  });

  it('of the write-ahead log ends Postgres, and loses nothing that was acknowledged', async () => {
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await notes.fill();
      const more = `select pg_logical_emit_message(false, 'fault', repeat('x', 1000000)) from generate_series(1, 200)`;
      await expect(stage.database.query(more)).rejects.toThrow();
      await eventually(isUp, false);
      await refusedMore(20);
      await notes.free();
      await stage.database.restart();
      await load.acknowledged(50);
    });
  });

  it('ends a restore with a message, and the same restore succeeds once there is space', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'rende-backup-'));
    atEnd(() => rm(folder, { recursive: true }));
    const [file, list] = [path.join(folder, 'rende.backup'), path.join(folder, 'forgotten')];
    await writeFile(list, '');
    expect(await runCli(stage.database, ['backup', file])).toMatchObject({ code: 0 });
    const target = await stage.database.emptyDatabase();
    await migrate(target.environment.DATABASE_OWNER_URL, 'migrations');
    const restore = () => runCli(target, ['restore', file], { FORGOTTEN_FILE: list });
    await tables.fill();
    const output = 'O disco do Postgres está cheio. Libere espaço e restaure de novo.\n';
    expect(await restore()).toEqual({ code: 1, output });
    await tables.free();
    expect(await restore()).toMatchObject({ code: 0 });
  });

  it('on which no database can be created causes a message', async () => {
    const { folder } = smallDisk(8);
    await expect(
      startPostgres({ folder: path.join(folder, 'postgres'), password: 'x', port: undefined }),
    ).rejects.toThrow(/^não há espaço em .* para criar o banco de dados/);
  });

  it('that stores log lines does not end the process whose lines no longer fit', async () => {
    const api = await startProcess({
      database: stage.database,
      roles: 'api',
      log: '/dev/full',
      env: { LOG_LEVEL: 'trace' },
    });
    stage.apis.push(api);
    await stage.underLoad((load) => load.acknowledged(30));
    expect(await api.end('SIGTERM')).toBe(0);
    stage.apis.pop();
  });
});
