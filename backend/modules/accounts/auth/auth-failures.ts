import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toProblem, type OwnFailures } from '../../../platform/http/failure.js';
import type { Problem } from '../../../platform/http/problem.js';
import { MalformedJson } from '../../../platform/http/strict-json.js';
import { describeError } from '../../../platform/ops/logger.js';
import { Unauthenticated } from '../sessions/sessions.service.js';
import { SecondFactorDue } from '../session.guard.js';
import { AuthError, OAuthError, secondFactorDue } from './auth-error.js';
import { logRefusal } from './refusal-log.js';

const API_VERSION = '2024-01-01';

const logger = new Logger('Auth');

/** Writes errors under `/auth/v1` in the format that auth-js reads. */
export const authFailures: OwnFailures = {
  under: '/auth/v1',

  answer(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = failure instanceof AuthError ? failure : translate(toProblem(failure));
    const { status, code, message, body, retryAfter } = error;
    if (status >= 500) {
      logger.error({ msg: 'request failed', requestId: request.id, code, err: describeError(failure) });
    }
    logRefusal(error, request);
    if (error instanceof OAuthError) {
      void reply.status(status).send({ error: error.error, error_description: message });
      return;
    }
    void reply.status(status).header('x-sb-error-code', code);
    if (retryAfter !== undefined) void reply.header('Retry-After', String(retryAfter));
    const version = request.headers['x-supabase-api-version'];
    if (typeof version === 'string' && version >= API_VERSION) {
      // The client reads the error code only if this header is present.
      void reply.header('X-Supabase-Api-Version', API_VERSION).send({ code, message, ...body });
    } else {
      void reply.send({ code: status, error_code: code, msg: message, ...body });
    }
  },
};

/** Error codes of the reference server for problems of the platform. */
function translate(problem: Problem): AuthError {
  if (problem instanceof Unauthenticated) return unauthenticated(problem.reason);
  if (problem instanceof SecondFactorDue) return secondFactorDue(problem.status);
  if (problem instanceof MalformedJson) {
    return new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
  }
  const { errors, retryAfter } = problem;
  switch (problem.code) {
    case 'validation':
    case 'broken_rule':
      return new AuthError(400, 'validation_failed', errors?.[0]?.detail ?? 'Invalid request', {
        body: { errors },
      });
    case 'not_found':
      return new AuthError(404, 'not_found', 'There is nothing at this address');
    case 'unsupported_media_type':
      return new AuthError(415, 'bad_json', 'Could not parse request body as JSON');
    case 'too_large':
      return new AuthError(413, 'request_entity_too_large', 'Request body is too large');
    case 'rate_limited':
      return new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter });
    case 'busy':
      return new AuthError(503, 'request_timeout', 'Try again in a moment', { retryAfter: retryAfter ?? 1 });
    default:
      return new AuthError(
        500,
        'unexpected_failure',
        'Unexpected failure, please check server logs for more information',
      );
  }
}

function unauthenticated(reason: Unauthenticated['reason']): AuthError {
  switch (reason) {
    case 'no_token':
      return new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
    case 'bad_token':
      return new AuthError(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature');
    case 'session_over':
      return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  }
}
