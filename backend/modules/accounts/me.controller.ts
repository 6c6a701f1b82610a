import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Route } from '../../platform/http/route.js';
import type { Membership } from '../../platform/realtime/session-verifier.js';
import { chooseMembership } from './access.guard.js';
import { type Me, me } from './accounts.api.js';
import { Users } from './users/users.service.js';

@Controller('me')
export class MeController {
  constructor(private readonly users: Users) {}

  @Get()
  @Route({ summary: 'Quem está usando, e em quais contas', signedIn: true, answer: me })
  async me(@Req() request: FastifyRequest): Promise<Me> {
    const { userId, memberships } = request.caller!;
    const { id, email, user_metadata } = await this.users.byId(userId);
    const chosen = chooseMembership(memberships, request);
    return {
      user: { id, email, nome: user_metadata.nome },
      membership: chosen ? toMembership(chosen) : null,
      memberships: memberships.map(toMembership),
    };
  }
}

function toMembership({ tenantId, slug, role, studentId, timezone }: Membership): Me['memberships'][number] {
  return { tenant_id: tenantId, slug, role, student_id: studentId, timezone };
}
