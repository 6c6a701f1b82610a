import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** How long requests are retried while the caller's last write is not projected yet, or the server is busy. */
const PATIENCE_MS = 120_000;

/** The caller of requests. */
export interface Caller {
  accessToken: string;
  /** The client's IP address, which the proxy would send. */
  address: string;
  /** Value of the header `Rende-Tenant`; undefined: no header. */
  tenant?: string;
  /** The highest position in answers so far, by tenant ('' without `Rende-Tenant`). */
  positions: Map<string, number>;
}

export interface RequestOptions {
  query?: Record<string, string | number>;
  body?: unknown;
  /** Default: a random key; null: no key. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
  /** The expected status. Default: any from 200 to 299. */
  status?: number;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text if it is not JSON. */
  body: Body;
}

interface Identified {
  id: string;
}

/**
 * An HTTP client like the product's own: sends `Authorization`, an `Idempotency-Key` with each write, and the position of the
 * caller's last write with each read. Paths of the short methods are relative to /api/v1.
 * They throw on an unexpected status, with the answer in the message, and retry reads that are `Rende-Stale`, and requests
 * that a busy server refused, with the same key; `request` does none of this.
 */
export class Client {
  constructor(
    private readonly url: string,
    private readonly caller?: Caller,
  ) {}

  get<Body>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.expected('GET', path, options);
  }
  post<Body = Identified>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.expected('POST', path, { body, ...options });
  }
  put<Body = Identified>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.expected('PUT', path, { body, ...options });
  }
  patch<Body = Identified>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.expected('PATCH', path, { body, ...options });
  }
  delete<Body = undefined>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.expected('DELETE', path, options);
  }

  /** Sends one request to any path, and accepts any answer. */
  async request<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const { caller } = this;
    const { query = {}, body, idempotencyKey = randomUUID() } = options;
    const tenant = options.headers?.['Rende-Tenant'] ?? caller?.tenant;
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const headers = new Headers({ 'User-Agent': 'node' });
    if (caller) {
      headers.set('Authorization', `Bearer ${caller.accessToken}`);
      headers.set('X-Forwarded-For', caller.address);
    }
    if (tenant) headers.set('Rende-Tenant', tenant);
    const after = caller?.positions.get(tenant ?? '');
    if (method !== 'GET' && idempotencyKey !== null) headers.set('Idempotency-Key', idempotencyKey);
    if (after !== undefined) headers.set('Rende-After', String(after));
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);

    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const answer = await send(url, method, headers, bytes);
    const position = Number(answer.headers.get('Rende-Position'));
    // Of concurrent requests, the earlier write may be answered last.
    if (caller && position > (caller.positions.get(tenant ?? '') ?? 0))
      caller.positions.set(tenant ?? '', position);
    return { ...answer, body: parse(answer.body) as Body };
  }

  private async expected<Body>(method: string, path: string, options: RequestOptions): Promise<Answer<Body>> {
    const { idempotencyKey = randomUUID() } = options;
    const ask = () => this.request<Body>(method, `/api/v1${path}`, { ...options, idempotencyKey });
    const isStale = ({ headers }: Answer<Body>) => method === 'GET' && headers.get('Rende-Stale') === 'true';
    const isBusy = ({ status, headers }: Answer<Body>) =>
      status === 503 && options.status === undefined && headers.has('Retry-After');
    let answer = await ask();
    for (const end = Date.now() + PATIENCE_MS; (isStale(answer) || isBusy(answer)) && Date.now() < end;) {
      await delay(isBusy(answer) ? 500 : 20);
      answer = await ask();
    }
    const { status } = answer;
    if (options.status === undefined ? status >= 200 && status < 300 : status === options.status)
      return answer;
    throw new Error(
      `${method} ${path} answered ${status}, not ${options.status ?? '2xx'}: ${JSON.stringify(answer.body)}`,
    );
  }
}

/** Not by `fetch`, which costs six times as much, with the compression that it asks for. */
async function send(
  url: URL,
  method: string,
  headers: Headers,
  body: string | Uint8Array = '',
): Promise<Answer<string>> {
  if (body.length > 0) headers.set('Content-Length', String(Buffer.byteLength(body)));
  const sent = request(url, { method, headers: Object.fromEntries(headers) });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // After an early refusal, the rest of the body cannot be sent.
  sent.on('error', () => undefined).end(body);
  const [answer] = await answered;
  const text = new TextDecoder().decode(await buffer(answer));
  const received = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values!) received.append(name, value);
  return { status: answer.statusCode!, headers: received, body: text };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
