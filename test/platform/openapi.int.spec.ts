import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { anyAddress } from '../support/addresses.js';
import { sharedApp } from '../support/shared.js';

interface Operation {
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { content?: object; $ref?: string }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Problem: { properties: { code: { enum: string[] } } } } };
}

let url: string;
let document: Document;
let router: string[];

beforeAll(async () => {
  const { url: origin, nest } = await sharedApp();
  url = origin;
  document = (await (await ask()).json()) as Document;
  router = routesOf(nest.getHttpAdapter().getInstance());
});

const address = anyAddress();
const ask = (headers = {}) =>
  fetch(`${url}/api/openapi.json`, { headers: { 'X-Forwarded-For': address, ...headers } });

/** All routes, such as `GET /path/:id`, from Fastify's print of its router; without HEAD, which every GET has. */
function routesOf(instance: FastifyInstance): string[] {
  const parents: string[] = [];
  return instance
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?)[├└]── (\S*) ?(?:\(([\w, ]+)\))?/.exec(line);
      if (!found) return [];
      const [, indent = '', segment = '', methods = ''] = found;
      const depth = indent.length / 4;
      parents.length = depth;
      parents.push(segment);
      const path = parents.join('');
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

describe('the OpenAPI document', () => {
  it('is serialised once, and sent only to callers that do not have it', async () => {
    const serialise = jest.spyOn(JSON, 'stringify');
    const etag = (await ask()).headers.get('ETag')!;
    const again = await ask({ 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const written = serialise.mock.calls.filter(([value]) => (value as Partial<Document> | null)?.openapi);
    serialise.mockRestore();
    expect(written).toEqual([]);
    const statuses = [];
    for (let n = 0; n < 30; n += 1) statuses.push((await ask({ 'If-None-Match': etag })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('lists every route of the router except pages, and nothing else', () => {
    const listed = operations().map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(router.length).toBeGreaterThan(20);
    expect(listed.sort()).toEqual(router.filter((route) => !route.endsWith('*')).sort());
  });

  it('contains for each route who may call it, and that failures are problems', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { path, operation } of operations()) {
      expect(operation.summary).not.toBe('');
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Problem' });
      const named = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(named);
    }
    expect(document.paths['/health/live']!.get!.security).toEqual([]);
    expect(document.paths['/api/v1/students']!.get!.security).toEqual([{ bearer: [] }]);
  });

  it('requires an Idempotency-Key on every write of the domain', () => {
    const questions = [
      '/api/v1/bank-lines/compare',
      '/api/v1/financial-advisor',
      '/api/v1/contracts/{id}/send/preview',
      '/api/v1/signature-links/read',
      '/api/v1/signature-links/pdf',
    ];
    const writes = operations().filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/api/v1/') && !questions.includes(path),
    );
    expect(writes.length).toBeGreaterThan(0);
    for (const { operation } of writes) {
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name: 'Idempotency-Key', required: true }),
      );
    }
  });

  it('contains the schemas that validate', () => {
    const { requestBody } = document.paths['/api/v1/students']!.post!;
    const schema = requestBody!.content['application/json']!.schema;
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const limit = document.paths['/api/v1/students']!.get!.parameters.find(({ name }) => name === 'limit');
    expect(limit).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    });
  });

  it('names the problem codes of every module', () => {
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(
      expect.arrayContaining(['validation', 'internal', 'accounts.access_denied', 'credits.none_available']),
    );
  });
});
