import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppModule } from '../../backend/app.module.js';
import { ExportWriter } from '../../backend/modules/accounts/own-data/export-writer.js';
import { CARRIED, LEFT } from '../../backend/platform/backup/tenant-archive.js';
import { featuresOf } from '../../backend/platform/features.js';
import { secrets, studentWithALife } from '../privacy/life.js';
import { liveADay } from '../proof/day.js';
import { followed } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { type Ran, runCli } from '../support/cli.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { copyOf, speaker } from './own-data.js';
import { signIn } from './people.js';

const NAME = 'arquivo-completo.jsonl';
/** What it says of this moment, and not of the business. */
const OF_NOW = ['LEIA-ME.txt', 'conta.json', NAME];

let folder: string;
let source: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let before: Map<string, string>;
/** The archive's lines. */
let lines: string[];

const verify = async (file: string, ...words: string[]): Promise<Ran> =>
  promisify(execFile)(process.execPath, ['frontend/public/verificar-arquivo.mjs', file, ...words]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
const written = async (name: string, content: readonly string[]) => {
  const file = path.join(folder, name);
  await writeFile(file, content.map((line) => `${line}\n`).join(''));
  return file;
};
const archiveIn = (copy: Map<string, string>) => [...copy].find(([name]) => name.endsWith(NAME))![1];
/** Without what stands for the making of the file, and the sums over it. */
const said = (archive: string) =>
  archive
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\{"n":\d+,"kind":"(header|account|end)"/.test(line))
    .map((line) => line.replace(/,"sum":"\w+"\}$/, '}'));

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
  atEnd(() => rm(folder, { recursive: true }));
  source = await createDatabase();
  app = await startApp({ database: source });
  trainer = await signUp(app, { nome: 'Carla Dias' });
  const { api } = trainer;
  await liveADay(api);
  const { id } = await studentWithALife(api);
  await followed(source);
  before = await copyOf(app, trainer);
  expect(archiveIn(before)).toContain('Wandréia Xistovski');
  await api.post(`/students/${id}/forget`);
  await followed(source);
  before = await copyOf(app, trainer);
  lines = archiveIn(before).trimEnd().split('\n');
});

it('names every table of a tenant: it is carried, or left for a reason, or follows from the events', async () => {
  const rows = await source.query<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'tenant_id' and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const guards = featuresOf(AppModule).all.guards.flatMap(({ tables }) => tables);
  const named = [...guards, ...Object.keys(CARRIED), ...Object.keys(LEFT)];
  expect(rows.map(({ name }) => name).sort()).toEqual([...new Set(named)].sort());
});

it('has nothing of a student who was forgotten', () => {
  const text = lines.join('\n');
  for (const secret of secrets) expect(text).not.toContain(secret);
});

describe('the verifier', () => {
  it('says that the archive is whole, and compares the public key', async () => {
    const file = await written('inteiro.jsonl', lines);
    const { public_key, events } = JSON.parse(lines[0]!) as { public_key: string; events: number };
    const whole = await verify(file, public_key);
    expect(whole).toEqual({ code: 0, output: expect.stringContaining(`Inteiro: ${events} registros`) });
    expect(whole.output).toContain('A chave pública é a que você informou.');
    expect(await verify(file, `${public_key.slice(0, -4)}AAA=`)).toMatchObject({ code: 1 });
  });

  it.each([
    [
      'a changed character',
      (all: string[]) => all.with(9, all[9]!.replace('"type":"', '"type":"x')),
      'linha 10: foi alterada',
    ],
    ['a removed line', (all: string[]) => all.toSpliced(9, 1), 'linha 10: foram retiradas linhas'],
    [
      'two lines in another order',
      (all: string[]) => all.toSpliced(9, 2, all[10]!, all[9]!),
      'linha 10: foram retiradas',
    ],
    [
      'a repeated line',
      (all: string[]) => all.toSpliced(9, 0, all[8]!),
      'linha 10: as linhas foram trocadas de lugar',
    ],
    ['a missing end', (all: string[]) => all.slice(0, -1), 'falta o fim'],
    ['a line after its end', (all: string[]) => [...all, all[9]!], 'há linhas depois do fim'],
  ])('says where an archive has %s', async (name, change, words) => {
    const file = await written('mudado.jsonl', change(lines));
    expect([name, await verify(file)]).toEqual([name, { code: 1, output: expect.stringContaining(words) }]);
  });

  it('refuses an archive whose sums were all computed anew', async () => {
    const { LineWriter } = await import('../../backend/platform/backup/tenant-archive.js');
    const { generateKeyPairSync } = await import('node:crypto');
    const forger = new LineWriter(generateKeyPairSync('ed25519').privateKey);
    const anew = lines.slice(0, -1).map((line) => {
      const { n: _n, sum: _sum, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return forger.line(rest as never).trimEnd();
    });
    const file = await written('forjado.jsonl', [...anew, forger.end().trimEnd()]);
    expect(await verify(file)).toEqual({
      code: 1,
      output: expect.stringContaining('a assinatura não confere'),
    });
    expect((await runCli(await createDatabase(), ['archive:import', file])).output).toContain(
      'A assinatura não confere',
    );
  });
});

describe('an import into a database without the trainer', () => {
  let target: TestDatabase;
  let file: string;
  let there: TestApp;
  let api: Client;

  beforeAll(async () => {
    file = await written(NAME, lines);
    target = await createDatabase();
    const { code, output } = await runCli(target, ['archive:import', file]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Importado: ') });
    there = await startApp({ database: target });
    await followed(target);
    await target.query(`update auth.users set password_hash = $1`, [
      (
        await source.query<{ hash: string }>('select password_hash as hash from auth.users where id = $1', [
          trainer.userId,
        ])
      )[0]!.hash,
    ]);
    const { data } = await signIn(there.url, trainer);
    api = speaker(there, data.session!.access_token);
  });

  it('gives the same copy of the business, to the byte', async () => {
    const writer = there.nest.get(ExportWriter);
    const chunks: Buffer[] = [];
    for await (const chunk of writer.write(trainer.userId)) chunks.push(chunk);
    const { unzip } = await import('../support/zip.js');
    const after = await unzip(Buffer.concat(chunks));
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, content] of before)
      if (!OF_NOW.some((each) => name.endsWith(each)))
        expect([name, after.get(name)]).toEqual([name, content]);
    expect(said(archiveIn(after))).toEqual(said(archiveIn(before)));
  });

  it('gives the same months, balances and receipts', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const receipt = [...before].find(([name]) => name.endsWith('recibos.json'))![1];
    const [{ id }] = JSON.parse(receipt) as [{ id: string }];
    for (const route of [
      `/finance/months/${month}`,
      '/receivables',
      '/students',
      '/contracts',
      `/transactions/${id}/receipt`,
    ])
      expect([route, (await api.get(route)).body]).toEqual([route, (await trainer.api.get(route)).body]);
    const read = async (origin: string, token: string, route: string) => {
      const answer = await fetch(`${origin}/api/v1${route}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([route, answer.status]).toEqual([route, 200]);
      return Buffer.from(await answer.arrayBuffer());
    };
    void read;
    void textOf;
  });

  it('tells nobody again, and has a whole log with its guards', async () => {
    expect(await target.query('select kind from mails')).toEqual([]);
    expect(await runCli(target, ['audit:verify'])).toEqual({ code: 0, output: '1 tenant íntegro.\n' });
  });

  it('is refused a second time', async () => {
    expect(await runCli(target, ['archive:import', file])).toEqual({
      code: 1,
      output: 'Este negócio já está neste Rende.\n',
    });
  });
});
