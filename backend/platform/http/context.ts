import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, IdempotencyContext } from '../event-store/context.js';
import type { VerifiedSession } from '../realtime/session-verifier.js';
import { Problem } from './problem.js';

export type { CommandContext } from '../event-store/context.js';

/** What the guard of accounts found out about the caller. */
export interface Identity {
  readonly userId: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly role: 'personal' | 'aluno';
  readonly studentId: string | null;
  readonly timezone: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of accounts; absent on public routes. */
    caller?: VerifiedSession;
    /** The caller in one tenant; also absent on routes for anybody signed in. */
    rende?: Identity;
    /** Set where a route demands an `Idempotency-Key`, once its body is valid. */
    idempotency?: IdempotencyContext;
  }
}

/** The caller's context: a `CommandContext` for writes, of which reads only need the `RequestContext`. */
export const Ctx = createParamDecorator((_data: unknown, context: ExecutionContext): CommandContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (!request.rende) throw new Problem('unauthenticated');
  const { tenantId, userId, role, studentId, timezone, sessionId } = request.rende;
  const idempotency = request.idempotency ?? null;
  return {
    tenantId,
    userId,
    role,
    studentId,
    timezone,
    requestId: request.id,
    device: sessionId,
    idempotency,
  };
});
