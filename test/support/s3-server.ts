import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

/** Faults of the next answers. */
interface S3Flaws {
  status?: number;
  /** The body with `status`. */
  content?: string;
  /** Part of the body that is sent before the connection is closed. */
  half?: boolean;
  /** Never answers. */
  silent?: boolean;
  /** Names this many objects in one answer. */
  page?: number;
  /** ETags are not the MD5 of the content, as with a server that encrypts. */
  opaqueEtags?: boolean;
  /** Does not name this object, as before another worker has put it there. */
  hidden?: string;
}

const s3Account = { region: 'sa-east-1', key: 'AKIDTEST', secret: 'segredo-do-bucket' };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

interface Signed {
  method: string;
  /** Path with query. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Signature version 4 as Amazon describes it, written apart from the library that the server uses. A test compares it with Amazon's example.
 */
export function signatureOf(
  { method, url, headers }: Signed,
  { region, secret }: { region: string; secret: string },
): string {
  const [, scopeDate, names] =
    /Credential=[^/]+\/(\d{8})\/.*SignedHeaders=([^,]+)/.exec(headers.authorization!) ?? [];
  const { pathname, searchParams } = new URL(url, 'http://any');
  const query = [...searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    pathname,
    query,
    ...names!.split(';').map((name) => `${name}:${headers[name]!.trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${scopeDate}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [scopeDate!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

/** A small server with one bucket, "lacres", that refuses requests whose signature, key or content hash is wrong. */
export async function s3Server() {
  const objects = new Map<string, Buffer>();
  const server = {
    env: {} as Record<string, string>,
    flaws: {} as S3Flaws,
    objects,
    /** The requests: method, path with query, status. */
    requests: [] as string[],
  };
  const http = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { silent, half, status: wanted, content: said = '' } = server.flaws;
    if (silent) return;
    const [status, content] = wanted ? [wanted, said] : replyTo(request, body);
    server.requests.push(`${request.method} ${request.url} ${status}`);
    response.statusCode = status;
    if (!half) return void response.end(content);
    response.setHeader('Content-Length', content.length);
    response.write(content.slice(0, content.length / 2), () => request.socket.destroy());
  }

  function replyTo(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): [status: number, content: string | Buffer] {
    const given = headers as Record<string, string>;
    const hash = given['x-amz-content-sha256'];
    const isMine = given.authorization?.includes(`Credential=${s3Account.key}/`);
    const signature = /Signature=(\w+)$/.exec(given.authorization ?? '')?.[1];
    if (!isMine || signature !== signatureOf({ method: method!, url: url!, headers: given }, s3Account))
      return [403, '<Error><Code>SignatureDoesNotMatch</Code></Error>'];
    if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return [400, ''];
    const { pathname, searchParams } = new URL(url!, 'http://any');
    const [, bucket, name = ''] = pathname.split('/');
    if (bucket !== 'lacres') return [404, '<Error><Code>NoSuchBucket</Code></Error>'];
    if (method === 'GET' && name === '') return [200, listOf(searchParams)];
    const stored = objects.get(name);
    if (method === 'GET') return stored ? [200, stored] : [404, ''];
    if (stored && given['if-none-match'] === '*') return [412, ''];
    objects.set(name, body);
    return [200, ''];
  }

  function listOf(query: URLSearchParams): string {
    const { page = 1000, opaqueEtags, hidden } = server.flaws;
    const after = query.get('start-after') ?? '';
    const names = [...objects.keys()].sort().filter((name) => name > after && name !== hidden);
    const etag = (content: Buffer) =>
      opaqueEtags ? '0'.repeat(32) : createHash('md5').update(content).digest('hex');
    const entries = names.slice(0, page).map((name) => {
      const content = objects.get(name)!;
      return `<Contents><Key>${name}</Key><ETag>&quot;${etag(content)}&quot;</ETag><Size>${content.length}</Size><Owner><ID>x</ID></Owner></Contents>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>lacres</Name><IsTruncated>${names.length > page}</IsTruncated>${entries.join('')}</ListBucketResult>`;
  }

  http.listen(0, '127.0.0.1');
  await new Promise((listening) => http.once('listening', listening));
  atEnd(() => {
    http.closeAllConnections();
    http.close();
  });
  server.env = {
    SEALS_BUCKET: `http://127.0.0.1:${(http.address() as AddressInfo).port}/lacres`,
    SEALS_BUCKET_REGION: s3Account.region,
    SEALS_BUCKET_KEY: s3Account.key,
    SEALS_BUCKET_SECRET: s3Account.secret,
  };
  return server;
}
