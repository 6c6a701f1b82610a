import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Archive, writeArchive } from '../../backend/platform/backup/archive.js';
import { verifyBackup } from '../../backend/platform/backup/backup.js';
import { Config } from '../../backend/platform/config/env.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { COMPILED } from '../support/compile.mjs';
import { createDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';

const MADE = /^rende-\d{8}T\d{6}Z\.backup$/;
const old = (year: number) => `rende-${year}0101T000000Z.backup`;

let folder: string;

async function newFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'rende-rotation-'));
  atEnd(() => rm(made, { recursive: true }));
  return made;
}

const source = await createDatabase();
const app = await startApp({ database: source });
const { api } = await signUp(app);
await api.post('/students', { nome: 'Bia Lima', telefone: '11943214321' });
await app.close();

beforeEach(async () => {
  folder = await newFolder();
});

describe('a rotation', () => {
  beforeEach(async () => {
    for (const name of [old(2020), old(2021), 'notes.txt']) await writeFile(path.join(folder, name), '');
  });

  it('writes one more backup and keeps the newest ones', async () => {
    const { code, output } = await runCli(source, ['backup', '--keep', '2', folder]);
    expect(output).toContain(`Conferido. Removidos: ${old(2020)}.\n`);
    expect(code).toBe(0);
    const names = await readdir(folder);
    expect(names.sort()).toEqual(['notes.txt', old(2021), expect.stringMatching(MADE)]);
  });

  it('removes nothing if the new backup fails', async () => {
    const env = {
      DATABASE_OWNER_URL: Object.assign(new URL(source.environment.DATABASE_OWNER_URL), { port: '9' }).href,
    };
    expect(await runCli(source, ['backup', '--keep', '1', folder], env)).toMatchObject({ code: 1 });
    expect((await readdir(folder)).sort()).toEqual(['notes.txt', old(2020), old(2021)]);
  });

  it('removes only the new backup if the disk returns other content', async () => {
    // One of its bytes changes once the file has its name.
    const { rename } = fs.promises;
    const turning = jest.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
      await rename(from, to);
      const bytes = await readFile(to);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(to, bytes);
    });
    syncBuiltinESMExports();
    const { code, output } = await runCli(source, ['backup', '--keep', '1', folder]);
    turning.mockRestore();
    syncBuiltinESMExports();
    expect(output).toMatch(/rende-\d{8}T\d{6}Z\.backup .*\n$/);
    expect(output).not.toContain('Conferido');
    expect(code).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['notes.txt', old(2020), old(2021)]);
  });

  it('prints its usage', async () => {
    for (const words of [
      ['--keep', '0', folder],
      ['--keep', 'x', folder],
      ['--daily', '03:30', folder],
      ['--kep', '1', folder],
    ]) {
      const { code, output } = await runCli(source, ['backup', ...words]);
      expect(output).toContain('npm run backup -- --keep <quantos> [--daily HH:MM] <pasta>');
      expect(code).toBe(1);
    }
    expect(await runCli(source, ['backup', '--keep', '1', '--daily', '24:00', folder])).toEqual({
      code: 1,
      output: '--daily é a hora do dia, como 03:30.\n',
    });
  });
});

it('a backup whose rows differ from its recorded sums is detected', async () => {
  const masterKey = Buffer.from(environmentFor(source).RENDE_MASTER_KEY!, 'base64');
  const config = Object.assign(new Config(), { masterKey });
  const file = path.join(folder, 'whole');
  await runCli(source, ['backup', file]);
  await verifyBackup(config, file);
  const whole = await Archive.open(file, masterKey);
  const shorter = path.join(folder, 'shorter');
  await writeArchive(shorter, masterKey, async (add) => {
    for await (const { name, content } of whole.parts()) {
      const chunks: Buffer[] = [];
      for await (const chunk of content) chunks.push(chunk);
      const text = Buffer.concat(chunks);
      await add(name, [name === 'public.events' ? text.subarray(text.indexOf('\n') + 1) : text]);
    }
  });
  await whole.close();
  await expect(verifyBackup(config, shorter)).rejects.toThrow(
    `${shorter} não tem as linhas que o banco tinha.`,
  );
});

it('a daily backup is made at once if the last one is missing', async () => {
  const child = spawn(process.execPath, [...COMPILED, 'backup', '--keep', '3', '--daily', '00:00', folder], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...environmentFor(source) },
  });
  const ended = once(child, 'exit');
  await eventually(async () => (await readdir(folder)).filter((name) => MADE.test(name)).length, 1);
  child.kill('SIGTERM');
  await ended;
});

describe('a drill', () => {
  let file: string;
  let list: string;
  const drill = async (env: Record<string, string>, ...words: string[]) => {
    const child = spawn(process.execPath, ['infra/ops/restore-drill.mjs', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...environmentFor(source), FORGOTTEN_FILE: list, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };
  const admin = () => ({
    DATABASE_ADMIN_URL: (JSON.parse(process.env.RENDE_TEST_SERVER!) as { adminUrl: string }).adminUrl,
  });
  const databases = () => source.query(`select from pg_database where datname like 'rende_drill_%'`);
  /** Everything that the live database has, row by row. */
  const live = () =>
    source.query(`select xmin::text, ctid::text, to_jsonb(e) as row from events e order by position`);

  beforeAll(async () => {
    const made = await newFolder();
    file = path.join(made, 'today.backup');
    list = path.join(made, 'forgotten');
    await writeFile(list, '');
    expect(await runCli(source, ['backup', file])).toMatchObject({ code: 0 });
  });

  it('restores into a separate database on the given server, and drops it', async () => {
    const before = await live();
    const { code, output } = await drill(admin(), file);
    expect(output).toMatch(/1 tenant íntegro\.\n/);
    expect(output).not.toContain('O Rende já pode ser iniciado');
    expect(output).toMatch(
      /Teste de restauração concluído em \d+,\d s: este backup pode ser restaurado\.\n$/,
    );
    expect(code).toBe(0);
    expect(await databases()).toEqual([]);
    expect(await live()).toEqual(before);
    expect(await readFile(list, 'utf8')).toBe('');
  });

  it('refuses a file that cannot be restored before it needs a server', async () => {
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    const altered = path.join(folder, 'altered.backup');
    await writeFile(altered, bytes);
    const nowhere = { DATABASE_ADMIN_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, output } = await drill(nowhere, altered);
    expect(output).toContain(
      `o teste falhou: ${altered} está incompleto ou foi alterado: nada foi escrito.\n`,
    );
    expect(code).toBe(1);
  });

  it('leaves no database behind if the restore fails', async () => {
    // The check of the file needs no database.
    const wrong = { ...admin(), DATABASE_OWNER_URL: 'postgres://rende_owner:wrong@127.0.0.1:1/none' };
    const { code, output } = await drill(wrong, file);
    expect(output).not.toContain('pode ser restaurado');
    expect(code).toBe(1);
    expect(await databases()).toEqual([]);
  });

  it('needs no server: without one it starts a temporary Postgres', async () => {
    const { code, output } = await drill({}, file);
    expect(output).toMatch(/concluído em \d+,\d s/);
    expect(code).toBe(0);
  });
});
