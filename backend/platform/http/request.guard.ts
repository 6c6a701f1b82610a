import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';
import { RateLimits } from './rate-limit.js';
import type { RateLimitOptions } from './calls.api.js';
import { readRequest } from './read-request.js';
import { ReadYourWrites } from './read-your-writes.js';

/**
 * Checks rate limits, validates, requires idempotency keys, and waits for the caller's own writes. It runs after the
 * identity guard, so that unauthorised callers learn nothing about a route.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { config, url } = request.routeOptions;
    const { route, rateLimit } = config;
    if (!route) return true;
    const isKnown = route.signedIn ? request.caller : request.rende;
    if (!route.public && !isKnown) throw new Problem('unauthenticated');
    if (rateLimit) await this.limits.consume(rateLimit, this.keyOf(request, rateLimit), reply);
    readRequest(request, route, url!);
    if ((request.method === 'GET' || route.asks) && request.rende) {
      const { tenantId } = request.rende;
      await this.waitForOwnWrites(request, reply, tenantId);
      if (await this.readYourWrites.isBehind(tenantId)) reply.header('Rende-Stale', 'true');
    }
    return true;
  }

  private keyOf(request: FastifyRequest, { byPerson }: RateLimitOptions): string {
    return byPerson && request.caller ? request.caller.userId : this.limits.addressKey(request.ip);
  }

  private async waitForOwnWrites(
    request: FastifyRequest,
    reply: FastifyReply,
    tenantId: string,
  ): Promise<void> {
    const after = request.headers['rende-after'];
    if (after === undefined) return;
    const position = Number(after);
    if (!/^\d{1,16}$/.test(String(after)) || !Number.isSafeInteger(position)) {
      throw new Problem('validation', {
        errors: [{ pointer: '/Rende-After', detail: 'Informe uma posição válida' }],
      });
    }
    const isCurrent = await this.readYourWrites.wait(tenantId, position);
    if (!isCurrent) reply.header('Rende-Stale', 'true');
  }
}
