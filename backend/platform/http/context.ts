import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, IdempotencyContext } from '../event-store/context.js';
import type { VerifiedSession } from '../realtime/session-verifier.js';
import { Problem } from './problem.js';

export type { CommandContext } from '../event-store/context.js';

/** The caller as established by the identity guard. */
export interface Identity {
  readonly userId: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly role: 'personal' | 'aluno';
  readonly studentId: string | null;
  readonly timezone: string;
  /** Signed in by the link to the student's area, which may have been forwarded. */
  readonly byLink?: true;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the identity guard; absent on public routes. */
    caller?: VerifiedSession;
    /** The caller's membership in one tenant; also absent on routes for any signed-in user. */
    rende?: Identity;
    /** The raw body; only on routes that keep it. */
    bytes?: Buffer;
    /** Set on routes that require an `Idempotency-Key`, after validation of the body. */
    idempotency?: IdempotencyContext;
  }
}

/** The student of a link takes the place of the user, because nobody is signed in. */
export const contextOfLink = (
  { tenantId, studentId, timezone }: { tenantId: string; studentId: string; timezone: string },
  { id: requestId, idempotency }: FastifyRequest,
): CommandContext => ({
  tenantId,
  userId: studentId,
  role: 'aluno',
  studentId,
  timezone,
  requestId,
  device: null,
  idempotency: idempotency ?? null,
});

/** The caller's context: a `CommandContext` for writes; reads need only the `RequestContext`. */
export const Ctx = createParamDecorator((_data: unknown, context: ExecutionContext): CommandContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (!request.rende) throw new Problem('unauthenticated');
  const { tenantId, userId, role, studentId, timezone, sessionId, byLink } = request.rende;
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
    ...(byLink && { byLink }),
  };
});
