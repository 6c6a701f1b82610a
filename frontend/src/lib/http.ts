import { areaLink } from './area-link.js';
import { accessToken, renewToken } from './auth.js';
import type { Write } from './outbox.js';
import { NetworkError, ProblemError } from './problem.js';
import { currentPlace, notePosition, positionOf } from './tenant.js';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Options {
  query?: Query;
  body?: unknown;
  /** `Idempotency-Key` of a write, the same at every retry. Required for writes. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Routes of the user's account and of public links, independent of the tenant. */
const PERSONAL = /^\/(me|account|invites|pay|signature-links|letter-links)(\/|$)/;

function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return `/api/v1${path}${given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''}`;
}

/** The topics that commands have changed, by `Idempotency-Key`. */
const changed = new Map<string, readonly string[]>();

/** The topics that the writes with these keys have changed, told once; null where the server did not say so of each. */
export function takeTopics(...keys: readonly string[]): readonly string[] | null {
  const topics = keys.map((key) => changed.get(key) ?? null);
  for (const key of keys) changed.delete(key);
  return topics.includes(null) ? null : topics.flatMap((some) => some ?? []);
}

const linkFor = (path: string) => (PERSONAL.test(path) ? null : areaLink());
/** Key under which positions are stored: the tenant, or the link of a page that is opened by one. */
const tenantFor = (path: string) =>
  PERSONAL.test(path) ? null : (areaLink() ?? currentPlace()?.tenantId ?? null);

function headersOf(path: string, token: string | null, { body, idempotencyKey }: Options): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  const link = linkFor(path);
  const tenant = tenantFor(path);
  const student = currentPlace()?.studentId;
  const after = tenant && positionOf(tenant);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (link) headers.set('Rende-Link', link);
  else if (tenant) {
    headers.set('Rende-Tenant', tenant);
    if (student) headers.set('Rende-Student', student);
  }
  if (after) headers.set('Rende-After', String(after));
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  return headers;
}

async function send(method: Method, path: string, token: string | null, options: Options): Promise<Response> {
  try {
    return await fetch(address(path, options.query), {
      method,
      headers: headersOf(path, token, options),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      // Bypasses the cache: a public page may be cached for some seconds, but the trainer must see what was just saved.
      cache: 'no-cache',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NetworkError(error);
  }
}

async function problemOf(response: Response): Promise<ProblemError> {
  const isProblem = response.headers.get('Content-Type')?.includes('json') ?? false;
  const body = isProblem ? ((await response.json().catch(() => ({}))) as object) : {};
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ProblemError(response.status, body, retryAfter > 0 ? retryAfter : null);
}

/** One request to the API. Does not throw for an answer that is an error. */
async function ask(method: Method, path: string, options: Options = {}): Promise<Response> {
  const token = linkFor(path) ? null : await accessToken();
  let response = await send(method, path, token, options);
  if (response.status === 401 && token) {
    const renewed = await renewToken(token);
    if (renewed) response = await send(method, path, renewed, options);
  }
  const tenant = tenantFor(path);
  const position = Number(response.headers.get('Rende-Position'));
  if (tenant && position > 0) notePosition(tenant, position);
  const topics = response.headers.get('Rende-Topics');
  if (topics !== null && options.idempotencyKey) changed.set(options.idempotencyKey, topics.split(' '));
  return response;
}

/**
 * One request to the API.
 * @throws ProblemError if the server refuses, NetworkError if it cannot be reached
 */
async function answerTo(method: Method, path: string, options: Options = {}): Promise<Response> {
  const response = await ask(method, path, options);
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function request<Answer>(method: Method, path: string, options?: Options): Promise<Answer> {
  const response = await answerTo(method, path, options);
  if (response.status === 204) return undefined as Answer;
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    throw new NetworkError(error);
  }
}

export const http = {
  send: <Answer>(
    { method, path, key, body }: Pick<Write, 'method' | 'path' | 'key' | 'body'>,
    signal?: AbortSignal,
  ) => request<Answer>(method, path, { idempotencyKey: key, body, ...(signal && { signal }) }),
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
    request<Answer>('GET', path, { ...(query && { query }), ...(signal && { signal }) }),
  /** A read with its parameters in the body, because they must not be in an address. */
  question: <Answer>(path: string, body: unknown, signal?: AbortSignal) =>
    request<Answer>('POST', path, { body, ...(signal && { signal }) }),
  /** Loads a whole file. */
  file: async (path: string, query?: Query): Promise<Blob> => {
    const response = await answerTo('GET', path, query ? { query } : {});
    return response.blob().catch((error: unknown) => {
      throw new NetworkError(error);
    });
  },
  post: <Answer>(path: string, idempotencyKey: string, body?: unknown) =>
    request<Answer>('POST', path, { idempotencyKey, body }),
  /** A request whose response is read as a stream, or contains an error of its own format. */
  stream: (path: string, body: unknown, signal: AbortSignal) => ask('POST', path, { body, signal }),
};
