import { HttpException } from '@nestjs/common';
import { Problem } from './problem.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

const BY_STATUS: Record<number, string> = {
  400: 'validation',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  414: 'not_found',
  415: 'unsupported_media_type',
  422: 'broken_rule',
  429: 'rate_limited',
  503: 'busy',
};

/** Problem for each expected SQLSTATE; any other is a bug and answers `internal`. */
const BY_SQLSTATE: Record<string, string> = {
  '22003': 'validation',
  '22007': 'validation',
  '22008': 'validation',
  '22021': 'validation',
  '22P02': 'validation',
  '22P05': 'validation',
  '23502': 'database.value_missing',
  '23503': 'still_linked',
  '23505': 'already_exists',
  '25006': 'busy',
  '25P03': 'busy',
  '25P04': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '42501': 'database.not_allowed',
  '55P03': 'busy',
  '57014': 'busy',
  '57P01': 'busy',
  '57P02': 'busy',
  '57P03': 'busy',
};

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages of `pg` for an exhausted pool or a lost connection; these errors have no code. */
const CONNECTION_WORDS =
  /timeout exceeded when trying to connect|connection terminated|connection timeout|timeout expired|query read timeout|not queryable|connection ended/i;

/** Converts any error to a problem; unknown errors are `internal` without their message. */
export function toProblem(failure: unknown): Problem {
  if (failure instanceof Problem) return failure;
  if (failure instanceof HttpException) return fromStatus(failure.getStatus(), failure);
  if (!(failure instanceof Error)) return new Problem('internal', { cause: failure });
  const { code, severity, statusCode } = failure as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (CONNECTION_CODES.has(code)) return new Problem('busy', { cause: failure });
    if (severity !== undefined) return fromPostgres(code, failure);
    if (code.startsWith('FST_')) return fromStatus(Number(statusCode), failure);
  }
  const isUnreachable = CONNECTION_WORDS.test(failure.message);
  return new Problem(isUnreachable ? 'busy' : 'internal', { cause: failure });
}

function fromStatus(status: number, cause: Error): Problem {
  return new Problem(BY_STATUS[status] ?? (status < 500 ? 'validation' : 'internal'), { cause });
}

function fromPostgres(sqlState: string, cause: Error): Problem {
  const isUnreachable = sqlState.startsWith('08') || sqlState.startsWith('53');
  const code = isUnreachable ? 'busy' : (BY_SQLSTATE[sqlState] ?? 'internal');
  const detail = nameIn(sqlState, cause as Error & Record<string, unknown>);
  return new Problem(code, { cause, ...(detail && { detail }) });
}

/** The constraint or column, as the specification's table wants. Only the name: the database's own texts contain values. */
function nameIn(sqlState: string, { column, constraint }: Record<string, unknown>): string | undefined {
  if (sqlState === '23502' && isName(column)) return `Falta preencher um campo obrigatório: ${column}`;
  return sqlState === '23505' && isName(constraint) ? `Este valor já existe: ${constraint}` : undefined;
}

const isName = (given: unknown): given is string => typeof given === 'string' && /^\w{1,63}$/.test(given);

/** A module's own error format, for clients that do not read problem details. */
export interface OwnFailures {
  /** Path prefix that it applies to, such as `/auth/v1`, including unknown routes under it. */
  under: string;
  answer(failure: unknown, request: FastifyRequest, reply: FastifyReply): void;
}

/** The error format for a path; undefined for the platform's own. */
export function ownFailuresOf(url: string, all: readonly OwnFailures[]): OwnFailures | undefined {
  return all.find(({ under }) => url === under || url.startsWith(`${under}/`) || url.startsWith(`${under}?`));
}
