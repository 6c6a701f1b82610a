import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicKeyOf } from '../event-store/master-key.js';
import { FORMAT, FORMAT_VERSION, type Line, linesOf, LineWriter } from './tenant-archive.js';

const TENANT = '5b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const key = generateKeyPairSync('ed25519').privateKey;
const publicKey = publicKeyOf(key);
const hashOf = (position: number) => createHash('sha256').update(`event ${position}`).digest('hex');

const header = (version = FORMAT_VERSION): Line => ({
  kind: 'header',
  format: FORMAT,
  version,
  made_at: '2026-11-30T12:00:00.000001Z',
  tenant_id: TENANT,
  events: 3,
  head: hashOf(3),
  students_with_account: 0,
  public_key: publicKey,
});
const event = (position: number): Line => ({
  kind: 'event',
  position,
  stream_id: `note:${position}`,
  version: 1,
  type: 'Noted',
  schema_version: 1,
  recorded_at: '2026-11-30T11:00:00.000001Z',
  data: { nota: 'Olá\u2028\u2029' },
  hash: hashOf(position),
  meta: { actor: TENANT, device: null, request: 'r', command: 'Note' },
});

/** The result of an integrity check, with a seal of the day in which the log's head was this one. */
function check(position: number, head: string): Line {
  const sha256 = (...parts: (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
  const folha = `${TENANT} ${position} ${head}`;
  const sibling = sha256('another tenant');
  const root = sha256('\x01', sibling, sha256('\0', folha)).toString('hex');
  const registro = JSON.stringify({ version: 1, day: '2026-11-29', root });
  const assinatura = sign(null, Buffer.from(registro), key).toString('base64');
  const caminho = [{ side: 'left', hash: sibling.toString('hex') }];
  const comprovante = { registro, assinatura, chave_publica: publicKey, folha, caminho };
  return { kind: 'row', table: 'integrity_checks', row: { result: { comprovante } } };
}

function archiveOf(lines: readonly Line[], signer = key): string[] {
  const writer = new LineWriter(signer);
  return [...lines.map((line) => writer.line(line)), writer.end()].map((line) => line.trimEnd());
}
const whole = archiveOf([header(), check(2, hashOf(2)), event(1), event(2), event(3)]);

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(lines: readonly string[]): Promise<string> {
  written += 1;
  const name = path.join(folder, `${written}.jsonl`);
  await writeFile(name, lines.map((line) => `${line}\n`).join(''));
  return name;
}

/** Runs the verifier as a person does. */
const verify = async (lines: readonly string[], ...words: string[]) =>
  promisify(execFile)(process.execPath, [
    'frontend/public/verificar-arquivo.mjs',
    await file(lines),
    ...words,
  ]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
const read = async (lines: readonly string[], keys = [publicKey]) => {
  const found: Line[] = [];
  for await (const line of linesOf(await file(lines), keys)) found.push(line);
  return found;
};

it('an archive with a second header is read by no import, whoever signed it', async () => {
  await expect(read(archiveOf([header(), header()]))).rejects.toThrow('A linha 2 é outro cabeçalho');
});

describe('a whole archive', () => {
  it('is verified without Rende, with its seal, and against a public key', async () => {
    const { code, output } = await verify(whole, publicKey);
    expect(output).toContain('Inteiro: 3 registros e 0 contratos assinados');
    expect(output).toContain('O lacre de 2026-11-29 confirma os registros até o 2.');
    expect(output).toContain('A chave pública é a que você informou.');
    expect(code).toBe(0);
    expect(await verify(whole, 'outra')).toEqual({
      code: 1,
      output: expect.stringContaining('a chave pública do arquivo é outra'),
    });
  });

  it('is read by an import that trusts its key, and by no other', async () => {
    expect(await read(whole)).toMatchObject([
      { kind: 'header' },
      { kind: 'row' },
      event(1),
      event(2),
      event(3),
    ]);
    await expect(read(whole, [])).rejects.toThrow(
      `O arquivo é de outro Rende, com a chave pública ${publicKey}`,
    );
  });
});

it.each([
  [
    'with a changed text',
    whole.with(3, whole[3]!.replace('Olá', 'Ola')),
    'linha 4: foi alterada',
    'A linha 4',
  ],
  ['without a line', whole.toSpliced(2, 1), 'linha 3: foram retiradas linhas', 'A linha 3'],
  ['in another order', whole.toSpliced(2, 2, whole[3]!, whole[2]!), 'linha 3: foram retiradas', 'A linha 3'],
  ['with a line twice', whole.toSpliced(3, 0, whole[2]!), 'linha 4: as linhas foram trocadas', 'A linha 4'],
  ['cut off after a line', whole.slice(0, -1), 'falta o fim', 'falta o fim'],
  [
    'cut off within a line',
    whole.slice(0, -1).with(-1, whole[4]!.slice(0, 90)),
    'linha 5: foi alterada',
    'A linha 5',
  ],
  ['with a line after its end', [...whole, whole[2]!], 'há linhas depois do fim', 'Há linhas depois do fim'],
  [
    'whose sums were computed anew',
    archiveOf([header(), event(1), event(2), event(3)], generateKeyPairSync('ed25519').privateKey),
    'a assinatura não confere',
    'A assinatura não confere',
  ],
  ['of something else', ['{"a":1}'], 'este não é um arquivo completo', 'não é um arquivo completo'],
  [
    'of a newer format',
    archiveOf([header(2)]),
    'formato 2 é mais novo',
    'versão mais nova do Rende (formato 2',
  ],
])('an archive %s is refused by the verifier and by an import', async (_what, lines, verifier, importer) => {
  expect(await verify(lines)).toEqual({ code: 1, output: expect.stringContaining(verifier) });
  await expect(read(lines)).rejects.toThrow(importer);
});

it('the verifier says where a log is not the one that was sealed', async () => {
  const rewritten = archiveOf([header(), check(2, hashOf(9)), event(1), event(2), event(3)]);
  expect(await verify(rewritten)).toEqual({
    code: 1,
    output: expect.stringContaining('linha 4: não é o registro que o lacre de 2026-11-29 guardou'),
  });
});

it('a file that is not there is named', async () => {
  const none = path.join(folder, 'none.jsonl');
  const run = promisify(execFile)(process.execPath, ['frontend/public/verificar-arquivo.mjs', none]);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Não foi possível ler'),
  });
  await expect(linesOf(none, []).next()).rejects.toThrow(`Não foi possível ler ${none} (ENOENT).`);
});
