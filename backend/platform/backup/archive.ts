import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Entry, extract, pack } from 'tar-stream';
import { fingerprintOf } from '../event-store/master-key.js';
import { syncFolderOf } from '../sync-folder.js';

/**
 * A backup is one file: a line that says what it is, then a tar.gz under AES-256-CTR, then an HMAC-SHA256 over all of
 * that. Both keys follow from the master key and the salt in the first line: without the master
 * key the file cannot be read, and a change to it is detected.
 */
const FIRST_LINE = /^rende-backup 1 ([0-9a-f]{16}) ([0-9a-f]{32})\n/;
const FIRST_LINE_BYTES = 'rende-backup 1 '.length + 16 + 1 + 32 + 1;
const MAC_BYTES = 32;
/** A tar entry starts with its size, so long content is buffered and written as several entries of about this size. */
const PART_BYTES = 4 * 1024 * 1024;
const LINE_END = 0x0a;

/** Why a file is not written or not read, in Portuguese. */
export class ArchiveError extends Error {}

/** A file of the archive, which may take several entries of the tar. */
export interface Part {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** Adds lines under a name; long content takes several entries of that name. */
export type AddParts = (name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>) => Promise<void>;

/** Writes a backup. The file appears under its name only once it is complete and synced to disk. */
export async function writeArchive(
  file: string,
  masterKey: Buffer,
  fill: (add: AddParts) => Promise<void>,
): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new ArchiveError(`${file} já existe: informe outro nome.`);
  const salt = randomBytes(16);
  const keys = keysOf(masterKey, salt);
  const firstLine = `rende-backup 1 ${fingerprintOf(masterKey)} ${salt.toString('hex')}\n`;
  const unfinished = `${file}.part`;
  const tar = pack();
  const written = pipeline(
    tar,
    createGzip({ level: 4 }),
    createCipheriv('aes-256-ctr', keys.cipher, keys.iv),
    (chunks: AsyncIterable<Buffer>) => authenticated(firstLine, keys.mac, chunks),
    createWriteStream(unfinished, { mode: 0o600, flush: true }),
  );
  // The error is handled below; without this, a full disk would leave the tar stream waiting for ever.
  written.catch(() => undefined);
  const add = (name: string, content: Buffer) =>
    Promise.race([
      new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name }, content, (error) => (error ? reject(error) : resolve()));
        entry.on('error', reject);
      }),
      written,
    ]);
  try {
    await fill((name, content) => addParts(add, name, content));
    tar.finalize();
    await written;
    await rename(unfinished, file);
    await syncFolderOf(file);
  } catch (error) {
    tar.destroy(error as Error);
    // The first error is the cause: the streams after the one that failed only report that it ended.
    const first: unknown = await written.then(
      () => error,
      (reason: unknown) => reason,
    );
    await rm(unfinished, { force: true });
    throw refusalOf(file, 'gravar', first);
  }
}

async function* authenticated(
  firstLine: string,
  key: Buffer,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const mac = createHmac('sha256', key).update(firstLine);
  yield Buffer.from(firstLine);
  for await (const chunk of chunks) {
    mac.update(chunk);
    yield chunk;
  }
  yield mac.digest();
}

async function addParts(
  add: (name: string, content: Buffer) => Promise<void>,
  name: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  for await (const part of cutAtLineEnds(content, PART_BYTES)) await add(name, part);
}

/**
 * Joins chunks into parts of at least `bytes`, each of which ends with a line end; the last one ends with the content.
 * COPY's text escapes the line ends inside of values, so every line of it is a whole row.
 */
export async function* cutAtLineEnds(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  bytes: number,
): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end > 0 && size + end >= bytes) {
      yield Buffer.concat([...gathered, chunk.subarray(0, end)]);
      gathered = [chunk.subarray(end)];
      size = chunk.length - end;
    } else {
      gathered.push(chunk);
      size += chunk.length;
    }
  }
  if (size > 0) yield Buffer.concat(gathered);
}

/** A backup whose HMAC was verified. */
export class Archive {
  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly bytes: number,
    private readonly masterKey: Buffer,
    private readonly salt: Buffer,
  ) {}

  /**
   * Reads a backup once, whole.
   * @throws ArchiveError where it cannot be read, is cut off or altered, or was made with another master key
   */
  static async open(file: string, masterKey: Buffer): Promise<Archive> {
    const handle = await open(file).catch((error: unknown) => {
      throw refusalOf(file, 'ler', error);
    });
    try {
      const { size } = await handle.stat();
      const first = Buffer.alloc(FIRST_LINE_BYTES);
      await handle.read(first, 0, first.length, 0);
      const [, keyId, salt] = FIRST_LINE.exec(first.toString('latin1')) ?? [];
      if (!salt) throw new ArchiveError(`${file} não é um backup do Rende, ou é de uma versão mais nova.`);
      if (keyId !== fingerprintOf(masterKey))
        throw new ArchiveError(
          `${file} foi feito com outra RENDE_MASTER_KEY: sem a chave dele os dados pessoais não podem ser lidos.`,
        );
      const archive = new Archive(file, handle, size, masterKey, Buffer.from(salt, 'hex'));
      await archive.authenticate();
      return archive;
    } catch (error) {
      await handle.close();
      throw refusalOf(file, 'ler', error);
    }
  }

  /** Identifies the backup. */
  get id(): string {
    return this.salt.toString('hex');
  }

  /** Fingerprint of its master key. */
  get keyId(): string {
    return fingerprintOf(this.masterKey);
  }

  /**
   * Joins the entries of one name into one part, because some archives have entries that end in the middle of a row.
   * The content of each part has to be read before the next part is requested.
   */
  async *parts(): AsyncGenerator<Part> {
    const { cipher, iv } = keysOf(this.masterKey, this.salt);
    const unpacked = extract();
    const read = pipeline(
      this.stream(FIRST_LINE_BYTES),
      createDecipheriv('aes-256-ctr', cipher, iv),
      createGunzip(),
      unpacked,
    );
    // Rethrown to the consumer of the iterator.
    read.catch(() => undefined);
    const entries = (unpacked as AsyncIterable<Entry>)[Symbol.asyncIterator]();
    let entry = await entries.next();
    const contentOf = async function* (name: string): AsyncGenerator<Buffer> {
      for (; !entry.done && entry.value.header.name === name; entry = await entries.next())
        yield* entry.value as AsyncIterable<Buffer>;
    };
    try {
      while (!entry.done) {
        const { name } = entry.value.header;
        yield { name, content: contentOf(name) };
      }
    } finally {
      await entries.return?.();
    }
    await read;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async authenticate(): Promise<void> {
    const damaged = new ArchiveError(`${this.file} está incompleto ou foi alterado: nada foi escrito.`);
    if (this.bytes < FIRST_LINE_BYTES + MAC_BYTES) throw damaged;
    const mac = createHmac('sha256', keysOf(this.masterKey, this.salt).mac);
    for await (const chunk of this.stream(0)) mac.update(chunk as Buffer);
    const stored = Buffer.alloc(MAC_BYTES);
    await this.handle.read(stored, 0, MAC_BYTES, this.bytes - MAC_BYTES);
    if (!timingSafeEqual(mac.digest(), stored)) throw damaged;
  }

  private stream(start: number) {
    return this.handle.createReadStream({ start, end: this.bytes - MAC_BYTES - 1, autoClose: false });
  }
}

function keysOf(masterKey: Buffer, salt: Buffer): { cipher: Buffer; iv: Buffer; mac: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', masterKey, salt, 'backup', 80));
  return { cipher: bytes.subarray(0, 32), iv: bytes.subarray(32, 48), mac: bytes.subarray(48) };
}

/** The error of the file system, in one line. */
function refusalOf(file: string, wish: 'ler' | 'gravar', error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new ArchiveError(`Não há espaço para ${file}: nada foi gravado.`);
  return syscall ? new ArchiveError(`Não foi possível ${wish} ${file} (${code}).`) : error;
}
