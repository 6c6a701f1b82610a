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
    const chosen = chosenMemberships(caller.memberships, request);
    const [membership] = chosen;
    if (!membership || chosen.length > 1) throw missingChoice(chosen);
    const { tenantId, role, studentId, timezone } = membership;
    if (!(route.roles ?? ['personal']).includes(role)) throw new Problem('accounts.access_denied');
    const { userId, sessionId } = caller;
    request.rende = { userId, sessionId, tenantId, role, studentId, timezone };
    return true;
  }
}

/**
 * The memberships that `Rende-Tenant` and `Rende-Student` leave to choose from: all of them without these headers.
 * @throws Problem 404 for a tenant that the caller does not belong to, or a student whom the caller does not represent there,
 * whether or not they exist
 */
export function chosenMemberships(
  memberships: readonly Membership[],
  { headers }: FastifyRequest,
): readonly Membership[] {
  const tenant = headers['rende-tenant'];
  const student = headers['rende-student'];
  const there =
    tenant === undefined
      ? memberships
      : memberships.filter(({ tenantId }) => tenantId === String(tenant).toLowerCase());
  if (tenant !== undefined && there.length === 0) throw new Problem('accounts.tenant_not_found');
  if (student === undefined) return there;
  const own = there.filter(({ studentId }) => studentId === String(student).toLowerCase());
  if (own.length === 0) throw new Problem('accounts.student_not_found');
  return own;
}

function missingChoice(chosen: readonly Membership[]): Problem {
  if (chosen.length === 0) return new Problem('accounts.access_denied');
  const isOneTenant = chosen.every(({ tenantId }) => tenantId === chosen[0]!.tenantId);
  return new Problem(isOneTenant ? 'accounts.student_required' : 'accounts.tenant_required');
}
