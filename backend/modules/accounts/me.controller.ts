import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { Serves } from '../../platform/http/serve.js';
import { chooseMembership } from './session.guard.js';
import { meApi, type Me, type MyMembership } from './accounts.api.js';
import { Users } from './users/users.service.js';

const TRAINERS = 'select tenant_id as "tenantId", nome from auth.trainers_of($1)';

@Controller()
export class MeController {
  constructor(
    private readonly users: Users,
    private readonly database: Database,
  ) {}

  @Serves(meApi.me)
  async me(@Req() request: FastifyRequest): Promise<Me> {
    const { userId, memberships: found } = request.caller!;
    const [{ id, email, user_metadata }, trainers] = await Promise.all([
      this.users.byId(userId),
      this.database.lookUp<{ tenantId: string; nome: string }>(TRAINERS, [userId]),
    ]);
    // A membership that ended between the two queries has no trainer any more.
    const memberships = found.flatMap(({ tenantId, slug, role, studentId, timezone }): MyMembership[] => {
      const trainer = trainers.find((each) => each.tenantId === tenantId);
      return trainer
        ? [{ tenant_id: tenantId, nome: trainer.nome, slug, role, student_id: studentId, timezone }]
        : [];
    });
    const chosen = chooseMembership(found, request)?.tenantId;
    return {
      user: { id, email, nome: user_metadata.nome },
      membership: memberships.find(({ tenant_id }) => tenant_id === chosen) ?? null,
      memberships,
    };
  }
}
