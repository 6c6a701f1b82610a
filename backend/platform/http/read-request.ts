import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Problem, type FieldError } from './problem.js';
import type { RouteOptions } from './calls.api.js';
import { assertStorable, parseStrictJson, escapePointer } from './strict-json.js';
import { safeParse, type $ZodIssue, type $ZodType } from 'zod/v4/core';
import { portugueseMessage } from './messages.api.js';

const MAX_ERRORS = 20;

/**
 * Parses the value by its schema.
 * @throws Problem `validation` (400) if it is malformed, `broken_rule` (422) if only rules between fields fail
 */
export function validate(schema: $ZodType, value: unknown): unknown {
  const result = safeParse(schema, value, { error: portugueseMessage });
  if (result.success) return result.data;
  const { issues } = result.error;
  const code = issues.every(isBrokenRule) ? 'broken_rule' : 'validation';
  throw new Problem(code, { errors: firstOfEachField(issues.flatMap(toFieldErrors)) });
}

/** Keeps the first error of each field, up to a maximum number. */
function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  const fields = new Map<string, FieldError>();
  for (const error of errors) {
    if (fields.size === MAX_ERRORS) break;
    if (!fields.has(error.pointer)) fields.set(error.pointer, error);
  }
  return [...fields.values()];
}

function isBrokenRule(issue: $ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true;
}

function toFieldErrors(issue: $ZodIssue): FieldError[] {
  const pointer = issue.path.map((part) => `/${escapePointer(String(part))}`).join('');
  if (issue.code !== 'unrecognized_keys') return [{ pointer, detail: issue.message }];
  return issue.keys.map((key) => ({ pointer: `${pointer}/${escapePointer(key)}`, detail: issue.message }));
}

const NOTHING = z.strictObject({});
const READS = new Set(['GET', 'HEAD']);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Validates path, query and body of a request by the schemas of its route.
 * @throws Problem where one does not match
 */
export function readRequest(request: FastifyRequest, route: RouteOptions, pattern: string): void {
  request.params = readFields(route.params, request.params);
  request.query = readFields(route.query, request.query);
  const bytes = request.body as Buffer | undefined;
  if (route.isSigned) {
    request.bytes = bytes ?? Buffer.alloc(0);
    request.body = undefined;
  } else request.body = readBody(route, bytes);
  if (!READS.has(request.method) && !route.asks && pattern.startsWith('/api/v1/')) {
    request.idempotency = {
      key: readIdempotencyKey(request),
      scope: [
        request.method,
        fill(pattern, request.params as Record<string, string>),
        // A user may be several students of one trainer: the answer to one is none to the other.
        ...(request.rende?.studentId ? [request.rende.studentId] : []),
      ].join(' '),
      bodyHash: createHash('sha256')
        .update(JSON.stringify(request.body) ?? '')
        .digest('hex'),
    };
  }
}

function readFields(schema: RouteOptions['query'], fields: unknown): unknown {
  if (!schema && Object.keys(fields as object).length === 0) return {};
  assertStorable(fields);
  return validate(schema ?? NOTHING, { ...(fields as object) });
}

/**
 * The body of a route with `isSigned`, whose signature was verified.
 * @throws Problem where it does not match the route's schema
 */
export const readSigned = (request: FastifyRequest): unknown =>
  readBody(request.routeOptions.config.route!, request.bytes);

function readBody(route: RouteOptions, bytes: Buffer | undefined): unknown {
  const value = bytes?.length ? parseStrictJson(bytes, route.maxValues) : undefined;
  if (route.body) return validate(route.body, value);
  if (value !== undefined) validate(NOTHING, value);
  return undefined;
}

/** The path with its validated ids: the same text however the client encoded it. */
function fill(pattern: string, params: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_place, name: string) => params[name]!);
}

function readIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') throw new Problem('idempotency.key_missing');
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new Problem('validation', {
      errors: [
        {
          pointer: '/Idempotency-Key',
          detail: 'Use de 1 a 255 caracteres visíveis, sem espaços nem acentos',
        },
      ],
    });
  }
  return key;
}
