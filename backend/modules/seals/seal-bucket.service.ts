import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { AwsClient } from 'aws4fetch';
import { Parser } from 'htmlparser2';
import { Config } from '../../platform/config/env.js';
import { wholeOf } from '../../platform/outgoing/bounded-body.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import type { SealFinding } from './seal-check.service.js';
import { dayOf, SealFiles } from './seal-files.service.js';

/** Most objects that a server names in one answer; the rest are in the next ones. */
const PAGE = 1_000;
const MOST_PAGES = 100;
const MOST_BYTES = { list: 4_000_000, object: 256_000_000 };
/** Most files that are no seals and are fetched in one run of the job. */
const MOST_FALSE = 10;
/** Most elements in each other in a list: the parser's time grows with the square of their number. */
const MOST_DEPTH = 8;

/** A file in the bucket. */
interface Kept {
  size: number;
  /** Usually the MD5 of its content, but not where the server encrypts it. */
  etag: string;
}

/**
 * A second copy of the files in SEALS_FOLDER, in an S3-compatible bucket. What one of both lacks is copied there by the job of the
 * seals, and nothing in it is replaced or removed. Where they differ, both stay as they are, and whoever verifies is told.
 */
@Injectable()
export class SealBucket {
  private readonly logger = new Logger(SealBucket.name);
  private readonly client: AwsClient | undefined;
  /** Files that are no seals of this instance, as they were listed: they are not fetched again. */
  private readonly refused = new Map<string, string>();
  /** Most time for one request with its answer. */
  timeoutMs = 30_000;

  constructor(
    private readonly config: Config,
    private readonly files: SealFiles,
  ) {
    const { region, key: accessKeyId, secret: secretAccessKey } = config.sealsBucket ?? {};
    this.client =
      accessKeyId !== undefined && secretAccessKey !== undefined && region !== undefined
        ? new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
        : undefined;
  }

  get isConfigured(): boolean {
    return this.client !== undefined;
  }

  /**
   * Copies into the folder what it has lost. A file that is no seal of this instance stays where it is, and is not fetched again while
   * it is the same. @throws if the bucket fails, or has too many of these at once
   */
  async restore(): Promise<void> {
    const here = new Set(await this.files.names());
    let falseOnes = 0;
    // Each seal comes before its time stamp.
    for (const [name, { size, etag }] of await this.list()) {
      const listed = `${size} ${etag}`;
      if (here.has(name) || this.refused.get(name) === listed) continue;
      if (await this.files.take(name, await this.get(name, size))) continue;
      this.logger.error({ msg: 'a file in the bucket is no seal of this instance', file: name });
      this.refused.set(name, listed);
      falseOnes += 1;
      if (falseOnes === MOST_FALSE) throw new Error('the bucket has many files that are no seals');
    }
  }

  /** Copies into the bucket what it does not have. @throws if the bucket fails */
  async fill(): Promise<void> {
    const there = await this.list();
    for (const name of await this.files.names())
      if (!there.has(name)) await this.put(name, (await this.files.contentOf(name))!);
  }

  /** How the bucket differs from the folder. @throws if the bucket fails */
  async differences(): Promise<SealFinding[]> {
    const there = await this.list();
    const here = await this.files.names();
    const others: string[] = [];
    for (const name of here) {
      const kept = there.get(name);
      if (kept && !(await this.isSame(name, kept))) others.push(name);
    }
    const missing = here.filter((name) => !there.has(name));
    const lost = [...there.keys()].filter((name) => !here.includes(name));
    return [
      ...others.map((name) => ({
        outcome: 'alterado' as const,
        text: `${name.endsWith('.tst') ? 'O carimbo do tempo do lacre' : 'O lacre'} de ${shortDate(dayOf(name)!)} é outro na cópia externa.`,
      })),
      ...foundMissing(missing, ['falta na cópia externa', 'faltam na cópia externa']),
      ...foundMissing(lost, ['só está na cópia externa', 'só estão na cópia externa']),
    ];
  }

  /** The server's word is taken only where it names the right bytes. */
  private async isSame(name: string, { size, etag }: Kept): Promise<boolean> {
    const content = await this.files.contentOf(name);
    if (content?.length !== size) return false;
    return (
      etag === createHash('md5').update(content).digest('hex') || content.equals(await this.get(name, size))
    );
  }

  /** The seals and time stamps in the bucket, by their names, sorted. */
  private async list(): Promise<Map<string, Kept>> {
    const found = new Map<string, Kept>();
    let after = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const from = after && `&start-after=${encodeURIComponent(after)}`;
      const answer = await this.request(`?list-type=2&max-keys=${PAGE}${from}`, {}, MOST_BYTES.list);
      const { objects, isTruncated } = objectsIn(answer.toString('utf8'));
      for (const { name, ...kept } of objects) if (dayOf(name)) found.set(name, kept);
      const last = objects.at(-1);
      if (!isTruncated || !last) return found;
      after = last.name;
    }
    throw new Error('the bucket has too many objects');
  }

  private async get(name: string, size: number): Promise<Buffer> {
    // Also where the list gives no size.
    if (!(size <= MOST_BYTES.object)) throw new Error('an object in the bucket is too large');
    const content = await this.request(`/${name}`, {}, size);
    if (content.length !== size) throw new Error('an object in the bucket came in part');
    return content;
  }

  /** One that is there already stays: another worker was faster. */
  private async put(name: string, content: Buffer): Promise<void> {
    const headers = {
      'If-None-Match': '*',
      'Content-Type': 'application/octet-stream',
      'X-Amz-Content-Sha256': createHash('sha256').update(content).digest('hex'),
    };
    await this.request(
      `/${name}`,
      { method: 'PUT', headers, body: new Uint8Array(content) },
      MOST_BYTES.list,
    );
  }

  /** Follows no redirect. @throws if the answer is no success */
  private async request(what: string, asked: RequestInit, mostBytes: number): Promise<Buffer> {
    const request = await this.client!.sign(`${this.config.sealsBucket!.url}${what}`, {
      ...asked,
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    const response = await fetch(request);
    const isThere = response.status === 412 && request.method === 'PUT';
    const body = response.body ? await wholeOf(Readable.fromWeb(response.body), mostBytes) : Buffer.alloc(0);
    if (!response.ok && !isThere) throw new Error(`the bucket answered ${response.status}`);
    return body;
  }
}

function foundMissing(
  names: readonly string[],
  [one, several]: [one: string, several: string],
): SealFinding[] {
  const [first] = names;
  if (first === undefined) return [];
  const files = plural(names.length, `arquivo de lacre ${one}`, `arquivos de lacre ${several}`);
  return [{ outcome: 'faltam_lacres', text: `${files}, o primeiro de ${shortDate(dayOf(first)!)}.` }];
}

/** What an answer to ListObjectsV2 names. */
function objectsIn(xml: string): { objects: (Kept & { name: string })[]; isTruncated: boolean } {
  const objects: (Kept & { name: string })[] = [];
  let [text, isTruncated, isWhole] = ['', false, false];
  let fields: Record<string, string> = {};
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: () => {
        text = '';
        depth += 1;
        if (depth > MOST_DEPTH) throw new Error('the bucket gave no list');
      },
      ontext: (part) => (text += part),
      onclosetag: (tag, isImplied) => {
        depth -= 1;
        fields[tag] = text;
        if (tag === 'Contents') {
          const { Key: name = '', Size, ETag = '' } = fields;
          objects.push({ name, size: Number(Size), etag: ETag.replaceAll('"', '') });
          fields = {};
        }
        if (tag === 'IsTruncated') isTruncated = text === 'true';
        if (tag === 'ListBucketResult') isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  if (!isWhole) throw new Error('the bucket gave no whole list');
  return { objects, isTruncated };
}
