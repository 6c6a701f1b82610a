import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityGuard } from '../../platform/http/identity.guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { Membership } from '../../platform/realtime/session-verifier.js';
import { AreaLinks } from './area-links.service.js';
import { Sessions } from './sessions/sessions.service.js';

/** The user has a second factor, and the session has not proved it. */
export class SecondFactorDue extends Problem {
  constructor(readonly status: number) {
    super('accounts.second_factor_required');
  }
}

/**
 * The identity guard. A request passes with a valid token of an active session (verified by the strategy of passport-jwt in
 * AccessTokens) and a membership whose role, read from the database, the route allows; or, where the route allows it, with a
 * link to a student's area. While a session has not proved the second factor of its user, it may only use the routes that
 * are needed to prove it.
 */
@Injectable()
export class SessionGuard extends IdentityGuard {
  constructor(
    private readonly sessions: Sessions,
    private readonly links: AreaLinks,
  ) {
    super();
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { route } = request.routeOptions.config;
    if (!route || route.public) return true;
    const link = request.headers['rende-link'];
    if (route.byLink && link !== undefined) {
      const reply = context.switchToHttp().getResponse<FastifyReply>();
      request.rende = await this.links.identify(String(link), request, reply);
      return true;
    }
    const caller = await this.sessions.identify(request.headers.authorization);
    request.caller = caller;
    if (caller.aal < caller.nextAal && route.beforeSecondFactor !== 'answered') {
      throw new SecondFactorDue(route.beforeSecondFactor ?? 403);
    }
    if (route.signedIn) return true;
    const membership = chooseMembership(caller.memberships, request);
    if (!membership) throw missingChoice(caller.memberships);
    const { tenantId, role, studentId, timezone } = membership;
    if (!(route.roles ?? ['personal']).includes(role)) throw new Problem('accounts.access_denied');
    const { userId, sessionId } = caller;
    request.rende = { userId, sessionId, tenantId, role, studentId, timezone };
    return true;
  }
}

/**
 * The membership that `Rende-Tenant` names, or the only one there is; undefined where several leave a choice, or none.
 * @throws Problem 404 for a tenant that the caller does not belong to, whether or not it exists
 */
export function chooseMembership(
  memberships: readonly Membership[],
  { headers }: FastifyRequest,
): Membership | undefined {
  const chosen = headers['rende-tenant'];
  if (chosen === undefined) return memberships.length === 1 ? memberships[0] : undefined;
  const membership = memberships.find(({ tenantId }) => tenantId === String(chosen).toLowerCase());
  if (!membership) throw new Problem('accounts.tenant_not_found');
  return membership;
}

function missingChoice(memberships: readonly Membership[]): Problem {
  return new Problem(memberships.length === 0 ? 'accounts.access_denied' : 'accounts.tenant_required');
}
