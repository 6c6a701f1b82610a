import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AddParts, Archive, cutAtLineEnds, writeArchive } from './archive.js';

const masterKey = randomBytes(32);
/** Longer than one entry of the tar. */
const long = randomBytes(5 * 1024 * 1024);
let folder: string;
let file: string;

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}

const fill = async (add: AddParts) => {
  await add('short', chunksOf(Buffer.from('ana@example.com')));
  await add('empty', chunksOf(Buffer.alloc(0)));
  await add('long', chunksOf(long));
};

async function contents(archive: Archive): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {};
  for await (const { name, content } of archive.parts()) {
    for await (const chunk of content) found[name] = Buffer.concat([found[name] ?? Buffer.alloc(0), chunk]);
  }
  return found;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
  file = path.join(folder, 'rende.backup');
  await writeArchive(file, masterKey, fill);
});

afterAll(() => rm(folder, { recursive: true }));

it('returns what was written, and reveals nothing without the key', async () => {
  const archive = await Archive.open(file, masterKey);
  const found = await contents(archive);
  await archive.close();
  expect(Object.keys(found)).toEqual(['short', 'long']);
  expect(found.short!.toString()).toBe('ana@example.com');
  expect(found.long!.equals(long)).toBe(true);
  const bytes = await readFile(file, 'latin1');
  expect(bytes).toMatch(/^rende-backup 1 [0-9a-f]{16} [0-9a-f]{32}\n/);
  expect(bytes).not.toContain('example.com');
  expect(bytes.slice(65).startsWith('\x1f\x8b')).toBe(false);
});

it('returns several tar entries of one name as one part, wherever they were split', async () => {
  const name = path.join(folder, 'entries');
  await writeArchive(name, masterKey, async (add) => {
    for (const piece of ['1\tana\n2\tb', 'ia\n', '3\tca']) await add('first', [Buffer.from(piece)]);
    await add('second', [Buffer.from('4\n')]);
    for (const piece of ['io\n', '5\n']) await add('third', [Buffer.from(piece)]);
  });
  const archive = await Archive.open(name, masterKey);
  const found: string[] = [];
  for await (const part of archive.parts()) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.content) chunks.push(chunk);
    found.push(`${part.name}: ${Buffer.concat(chunks).toString()}`);
  }
  await archive.close();
  expect(found).toEqual(['first: 1\tana\n2\tbia\n3\tca', 'second: 4\n', 'third: io\n5\n']);
});

it('ends every part of a table at the end of a row, whatever the size of rows and chunks', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n}\t${'x'.repeat((n * 7919) % 500)}\n`).join('');
  for (const chunk of [1, 7, 100, 4096, rows.length]) {
    const chunks = rows.match(new RegExp(`[^]{1,${chunk}}`, 'g'))!.map((text) => Buffer.from(text));
    const parts: string[] = [];
    for await (const part of cutAtLineEnds(chunks, 2000)) parts.push(part.toString());
    expect(parts.join('')).toBe(rows);
    expect(parts.filter((part) => !part.endsWith('\n'))).toEqual([]);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(2000 + 510 + chunk);
    if (chunk < rows.length) expect(parts.length).toBeGreaterThan(50);
  }
});

it('keeps content without a line end unchanged', async () => {
  const parts: string[] = [];
  for await (const part of cutAtLineEnds([Buffer.from('{"a":'), Buffer.from('1}')], 2))
    parts.push(part.toString());
  expect(parts).toEqual(['{"a":1}']);
});

describe('a file is refused', () => {
  const refused = async (bytes: Buffer, key = masterKey) => {
    const name = path.join(folder, 'spoiled');
    await writeFile(name, bytes);
    return Archive.open(name, key).then(
      () => 'opened',
      (error: Error) => error.message.replace(name, 'Ele'),
    );
  };
  const damaged = 'Ele está incompleto ou foi alterado: nada foi escrito.';
  const noBackup = 'Ele não é um backup do Rende, ou é de uma versão mais nova.';

  it('that was cut off', async () => {
    const bytes = await readFile(file);
    for (const size of [0, 64]) expect(await refused(bytes.subarray(0, size))).toBe(noBackup);
    for (const size of [65, 80, 100_000, bytes.length - 1])
      expect(await refused(bytes.subarray(0, size))).toBe(damaged);
  });

  it('with one flipped bit, another salt, or more than it had', async () => {
    const bytes = await readFile(file);
    for (const at of [65, 100_000, bytes.length - 33, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      expect(await refused(flipped)).toBe(damaged);
    }
    const salted = Buffer.from(bytes);
    salted.write(salted.toString('latin1', 40, 41) === '0' ? '1' : '0', 40);
    expect(await refused(salted)).toBe(damaged);
    expect(await refused(Buffer.concat([bytes, Buffer.from([0])]))).toBe(damaged);
  });

  it('made with another master key', async () => {
    expect(await refused(await readFile(file), randomBytes(32))).toBe(
      'Ele foi feito com outra RENDE_MASTER_KEY: sem a chave dele os dados pessoais não podem ser lidos.',
    );
  });

  it('that does not exist, or is no backup', async () => {
    await expect(Archive.open(path.join(folder, 'nada'), masterKey)).rejects.toThrow(
      /^Não foi possível ler .*nada \(ENOENT\)\.$/,
    );
    expect(await refused(Buffer.from('{}\n'.repeat(1000)))).toBe(noBackup);
  });
});

describe('leaves no file where it cannot be written completely', () => {
  it('on a full disk', async () => {
    const full = await mkdtemp(path.join(folder, 'full-'));
    const name = path.join(full, 'rende.backup');
    await symlink('/dev/full', `${name}.part`);
    await expect(writeArchive(name, masterKey, fill)).rejects.toThrow(
      /^Não há espaço para .*: nada foi gravado\.$/,
    );
    expect(await readdir(full)).toEqual([]);
  });

  it('where there is one already, which stays', async () => {
    const before = await readFile(file);
    await expect(writeArchive(file, masterKey, fill)).rejects.toThrow(/ já existe: informe outro nome\.$/);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('in no folder, or when its content fails', async () => {
    await expect(writeArchive(path.join(folder, 'nenhuma/backup'), masterKey, fill)).rejects.toThrow(
      /^Não foi possível gravar .* \(ENOENT\)\.$/,
    );
    const name = path.join(folder, 'half');
    const fails = async (add: AddParts) => {
      await fill(add);
      throw new Error('the database is gone');
    };
    await expect(writeArchive(name, masterKey, fails)).rejects.toThrow('the database is gone');
    expect((await readdir(folder)).filter((each) => each.startsWith('half'))).toEqual([]);
  });
});
