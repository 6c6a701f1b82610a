import {
  applyDecorators,
  Controller,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  createParamDecorator,
} from '@nestjs/common';
import { type Observable, throwError, timeout } from 'rxjs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthError } from './auth-error.js';

const LIMIT_MS = 10_000;

/** Ends a request of `/auth/v1` after ten seconds, with an error that clients retry. */
@Injectable()
export class TimeLimit implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const late = new AuthError(
      504,
      'request_timeout',
      'Processing this request timed out, please retry after a moment.',
    );
    return next.handle().pipe(timeout({ first: LIMIT_MS, with: () => throwError(() => late) }));
  }
}

/** A controller of `/auth/v1`, the wire format of the reference auth service. */
export function AuthController(): ClassDecorator {
  return applyDecorators(Controller('auth/v1'), UseInterceptors(TimeLimit));
}

/** Origin of a request, and the response that gets the headers of its rate limits. */
export interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

/**
 * Fastify runs the handlers of GET for HEAD as well. Mail programs and scanners check links by HEAD, which must not use them up.
 * @throws AuthError 405
 */
export function refuseHead({ method }: FastifyRequest): void {
  if (method === 'HEAD') throw new AuthError(405, 'validation_failed', 'Method not allowed');
}
