import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { type ErrorTable, problem } from './common.api.js';
import type { RouteOptions } from './calls.api.js';

/** The catch-all route of the SPA, which the API document leaves out. */
const SPA_ROUTE = '/*';

export interface RegisteredRoute {
  method: string;
  /** Fastify's pattern, such as `/api/v1/students/:id`. */
  url: string;
  options: RouteOptions;
}

/**
 * Collects every route while it registers; call it before the first one does.
 * @throws Error at registration, for a handler without `@Route`
 */
export function collectRoutes(instance: FastifyInstance): RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  instance.addHook('onRoute', ({ method, url, config }) => {
    if (url === SPA_ROUTE) return;
    const options = config?.route;
    if (!options) throw new Error(`${String(method)} ${url} has no @Route`);
    for (const name of [method].flat()) {
      if (name !== 'HEAD') routes.push({ method: name, url, options });
    }
  });
  return routes;
}

/** The OpenAPI 3.1 document of all routes. */
export function openApiDocument(
  routes: readonly RegisteredRoute[],
  errors: ErrorTable,
  siteUrl: string,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  const problemSchema = jsonSchema(problem, 'output');
  (problemSchema.properties as Record<string, object>).code = { type: 'string', enum: Object.keys(errors) };
  return {
    openapi: '3.1.0',
    info: { title: 'Rende', version: '1', description: 'API do Rende. Erros seguem a RFC 9457.' },
    servers: [{ url: siteUrl }],
    paths,
    components: {
      schemas: { Problem: problemSchema },
      responses: {
        Problem: {
          description: 'Problema (RFC 9457); `code` é estável',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        link: { type: 'apiKey', in: 'header', name: 'Rende-Link' },
      },
    },
  };
}

function operation({ method, url, options }: RegisteredRoute): object {
  const isDomain = url.startsWith('/api/v1/');
  const isWrite = method !== 'GET' && !options.asks;
  const hasTenant = !options.public && !options.signedIn;
  const parameters = [
    ...fields(options.params, 'path'),
    ...fields(options.query, 'query'),
    ...(isDomain && hasTenant
      ? [
          header('Rende-Tenant', false, 'Escolhe entre vários vínculos', { type: 'string', format: 'uuid' }),
          header('Rende-Student', false, 'Escolhe entre vários alunos de um personal', {
            type: 'string',
            format: 'uuid',
          }),
        ]
      : []),
    ...(isDomain && isWrite
      ? [
          header('Idempotency-Key', true, 'Repetir com a mesma chave não repete o efeito', {
            type: 'string',
            maxLength: 255,
          }),
        ]
      : []),
    ...(isDomain && !isWrite && hasTenant
      ? [header('Rende-After', false, 'Espera até que esta posição esteja visível', { type: 'integer' })]
      : []),
  ];
  return {
    summary: options.summary,
    tags: options.tags ?? [tagOf(url)],
    security: options.public ? [] : [{ bearer: [] }, ...(options.byLink ? [{ link: [] }] : [])],
    parameters,
    ...(options.body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          (options.takes ?? ['application/json']).map((media) => [
            media,
            { schema: jsonSchema(options.body!, 'input') },
          ]),
        ),
      },
    }),
    responses: {
      [String(options.status ?? 200)]: {
        description: 'Sucesso',
        ...(isDomain && answerHeaders(isWrite)),
        ...answerContent(options),
      },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function answerHeaders(isWrite: boolean): object {
  return isWrite
    ? {
        headers: {
          'Rende-Position': { description: 'Posição para Rende-After', schema: { type: 'integer' } },
          'Rende-Topics': {
            description: 'Tópicos que o comando mudou, separados por espaços; ausente se desconhecidos',
            schema: { type: 'string' },
          },
        },
      }
    : {
        headers: {
          'Rende-Stale': {
            description: 'Presente se a posição de Rende-After não foi alcançada',
            schema: { const: 'true' },
          },
        },
      };
}

function answerContent({ answer, media }: RouteOptions): object {
  if (media) return { content: { [media]: { schema: { type: 'string' } } } };
  return answer ? { content: json(jsonSchema(answer, 'output')) } : {};
}

function fields(schema: $ZodType | undefined, place: 'path' | 'query'): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

function header(name: string, required: boolean, description: string, schema: object): object {
  return { name, in: 'header', required, description, schema };
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function jsonSchema(schema: $ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}

/** `/api/v1/students/:id` belongs to students, `/auth/v1/user` to auth. */
function tagOf(url: string): string {
  return url.replace(/^\/api\/(v1\/)?/, '/').split('/')[1]!;
}
