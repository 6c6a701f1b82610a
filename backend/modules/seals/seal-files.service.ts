import { createHash, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Config } from '../../platform/config/env.js';
import { publicKeyOf, signingKeyOf } from '../../platform/event-store/master-key.js';
import { syncFolderOf } from '../../platform/sync-folder.js';
import { inTurns } from '../../platform/turns.js';

// Imported when the first time stamp is read or requested, as for the files that are signed.
const timestamps = () => import('../../platform/pdf/timestamp.js');

/** Where a tenant's log stood: the position and hash of its last event. */
export interface Leaf {
  tenantId: string;
  position: number;
  /** In hexadecimal. */
  head: string;
}

const hex = z.string().regex(/^[\da-f]{64}$/);
const sealRecord = z.strictObject({
  version: z.literal(1),
  day: z.iso.date(),
  made_at: z.iso.datetime(),
  /** SHA-256 of the record before; null for the first one. */
  previous: hex.nullable(),
  tenants: z.int(),
  /** Of the Merkle tree over the leaves. */
  root: hex,
});

/** A file as it was read. */
export interface Seal {
  record: z.infer<typeof sealRecord>;
  /** The record's line, which is signed. */
  text: string;
  /** SHA-256 of the record's line. */
  hash: string;
  /** Base64. */
  signature: string;
  leaves: readonly Leaf[];
  /** Of the Merkle tree: the leaves' hashes first, the root last. */
  levels: readonly (readonly Buffer[])[];
  /** Whether the record is signed with the key of this instance and is that of the file's day. */
  isSigned: boolean;
  /** Whether the leaves are those of the record. */
  isWhole: boolean;
  /** The time that a server of time stamps certifies; null without one, `invalid` if it is not for this file. */
  stampedAt: Date | 'invalid' | null;
}

/** A hash beside the way from a leaf to the root, and its side. */
export interface Sibling {
  side: 'left' | 'right';
  hash: string;
}

/** The files that were written, with the hashes of their records. */
export const NOTED = `select day, encode(record_hash, 'hex') as hash from seals order by day`;

const FILE = /^(\d{4}-\d{2}-\d{2})\.(seal|tst)$/;
/** Hashes in one turn of the event loop. */
const AT_ONCE = 1_000;

/**
 * The seals, one file for each day in SEALS_FOLDER: a line of JSON (the record), its Ed25519 signature in base64, and a line
 * `tenant position head` for each tenant, sorted. Beside it `<day>.tst` has the time stamp of the whole file, if there is one.
 * The key is derived from the master key. A file is written once and never changed.
 */
@Injectable()
export class SealFiles {
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(private readonly config: Config) {
    this.privateKey = signingKeyOf(config.masterKey);
    this.publicKey = createPublicKey(this.privateKey);
  }

  /** In base64 (SPKI), for whoever verifies a seal without this instance. */
  get publicKeyText(): string {
    return publicKeyOf(this.privateKey);
  }

  /** Makes the folder. @throws if it cannot be written to */
  async open(): Promise<void> {
    const probe = this.pathOf(`${randomUUID()}.tmp`);
    await mkdir(this.config.sealsFolder, { recursive: true, mode: 0o700 });
    await (await open(probe, 'wx', 0o600)).close();
    await rm(probe);
  }

  /** Seals and time stamps, each seal before its time stamp. */
  async names(): Promise<string[]> {
    const names = await readdir(this.config.sealsFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => dayOf(name)).sort();
  }

  /** The days that have a file, sorted. */
  async days(): Promise<string[]> {
    return (await this.names()).filter((name) => name.endsWith('.seal')).map((name) => dayOf(name)!);
  }

  /** The days that have a file without a time stamp, sorted. */
  async unstamped(): Promise<string[]> {
    const names = new Set(await this.names());
    return (await this.days()).filter((day) => !names.has(`${day}.tst`));
  }

  /** Stores a file that was kept elsewhere. False if it is no seal of this instance, or no time stamp of one. */
  async take(name: string, content: Buffer): Promise<boolean> {
    const day = dayOf(name)!;
    const isSeal = name.endsWith('.seal');
    const seal = isSeal ? content : await this.contentOf(`${day}.seal`);
    const found = seal && (await this.sealIn(day, seal, isSeal ? undefined : content));
    if (!found?.isSigned || !found.isWhole) return false;
    if (!isSeal && !(found.stampedAt instanceof Date)) return false;
    await this.add(name, content);
    return true;
  }

  /** Writes the file of a day, unless there is one. */
  async write(day: string, at: Date, previous: string | null, leaves: readonly Leaf[]): Promise<void> {
    const text = JSON.stringify({
      version: 1,
      day,
      made_at: at.toISOString(),
      previous,
      tenants: leaves.length,
      root: rootOf(await levelsOf(leaves)),
    } satisfies Seal['record']);
    const signature = sign(null, Buffer.from(text), this.privateKey).toString('base64');
    await this.add(`${day}.seal`, `${[text, signature, ...leaves.map(lineOf)].join('\n')}\n`);
  }

  /** Stores a time stamp for the file of a day, of the server at TIMESTAMP_URL. @throws if the server fails */
  async stamp(day: string, url: string): Promise<void> {
    const { timestampOf } = await timestamps();
    const { token } = await timestampOf(url, await readFile(this.pathOf(`${day}.seal`)));
    await this.add(`${day}.tst`, Buffer.from(token.toSchema().toBER()));
  }

  /** Undefined if there is no such file, or it is no seal. */
  async read(day: string): Promise<Seal | undefined> {
    const content = await this.contentOf(`${day}.seal`);
    return content && this.sealIn(day, content, await this.contentOf(`${day}.tst`));
  }

  private async sealIn(day: string, content: Buffer, stamp: Buffer | undefined): Promise<Seal | undefined> {
    const [text = '', signature = '', ...lines] = content.toString('utf8').trimEnd().split('\n');
    const record = recordIn(text);
    if (!record) return undefined;
    const leaves = lines.map(leafIn);
    const levels = await levelsOf(leaves);
    return {
      record,
      text,
      signature,
      leaves,
      levels,
      hash: sha256(text).toString('hex'),
      isSigned:
        record.day === day &&
        verify(null, Buffer.from(text), this.publicKey, Buffer.from(signature, 'base64')),
      isWhole: leaves.length === record.tenants && rootOf(levels) === record.root,
      stampedAt: stamp ? await stampedAt(stamp, content) : null,
    };
  }

  /** Undefined if there is no such file. */
  async contentOf(name: string): Promise<Buffer | undefined> {
    return readFile(this.pathOf(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  /** A file appears with its whole content, synced to disk; one that is there already stays, whoever wrote it. */
  private async add(name: string, content: string | Buffer): Promise<void> {
    const target = this.pathOf(name);
    const written = this.pathOf(`${randomUUID()}.tmp`);
    try {
      const file = await open(written, 'wx', 0o400);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await link(written, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(written, { force: true });
    }
    await syncFolderOf(target);
  }

  private readonly pathOf = (name: string): string => path.join(this.config.sealsFolder, name);
}

/** The day of a seal or time stamp; undefined for any other name. */
export const dayOf = (name: string): string | undefined => FILE.exec(name)?.[1];

async function stampedAt(token: Buffer, content: Buffer): Promise<Date | 'invalid'> {
  const { timeStamped } = await timestamps();
  return timeStamped(token, content).catch(() => 'invalid');
}

/** The hashes with which the leaf at this index gives the root. */
export function siblingsOf({ levels }: Pick<Seal, 'levels'>, index: number): Sibling[] {
  return levels.slice(0, -1).flatMap((level, height) => {
    const at = Math.floor(index / 2 ** height);
    const sibling = level[at ^ 1];
    return sibling ? [{ side: at % 2 ? ('left' as const) : 'right', hash: sibling.toString('hex') }] : [];
  });
}

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const lineOf = ({ tenantId, position, head }: Leaf): string => `${tenantId} ${position} ${head}`;

export function leafIn(line: string): Leaf {
  const [tenantId = '', position = '', head = ''] = line.split(' ');
  return { tenantId, position: Number(position), head };
}

function recordIn(text: string): Seal['record'] | undefined {
  try {
    return sealRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Leaves and nodes begin with different bytes, as in RFC 6962; a node without a sibling rises as it is. */
async function levelsOf(leaves: readonly Leaf[]): Promise<Buffer[][]> {
  let level = await inTurns(leaves, AT_ONCE, (leaf) => sha256('\0', lineOf(leaf)));
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    const pairs = Array.from({ length: Math.ceil(below.length / 2) }, (_, n) =>
      below.slice(2 * n, 2 * n + 2),
    );
    level = await inTurns(pairs, AT_ONCE, ([left, right]) => (right ? sha256('\x01', left!, right) : left!));
    levels.push(level);
  }
  return levels;
}

/** Without leaves, the hash of nothing. */
const rootOf = (levels: readonly (readonly Buffer[])[]): string =>
  (levels.at(-1)![0] ?? sha256()).toString('hex');
