import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { Serves } from '../../platform/http/serve.js';
import { chosenMemberships } from './session.guard.js';
import { meApi, type Me, type MyMembership } from './accounts.api.js';
import { Users } from './users/users.service.js';

const TRAINERS = 'select tenant_id as "tenantId", nome from auth.trainers_of($1)';
const STUDENTS = 'select student_id as "studentId", nome from auth.students_of($1)';

interface Named {
  studentId: string;
  nome: string | null;
}

@Controller()
export class MeController {
  constructor(
    private readonly users: Users,
    private readonly database: Database,
  ) {}

  @Serves(meApi.me)
  async me(@Req() request: FastifyRequest): Promise<Me> {
    const { userId, memberships: found } = request.caller!;
    const isStudent = found.some(({ studentId }) => studentId !== null);
    const [{ id, email, user_metadata }, trainers, students] = await Promise.all([
      this.users.byId(userId),
      this.database.lookUp<{ tenantId: string; nome: string }>(TRAINERS, [userId]),
      isStudent ? this.database.lookUp<Named>(STUDENTS, [userId]) : [],
    ]);
    // A membership that ended between the two queries has no trainer any more.
    const memberships = found.flatMap(({ tenantId, slug, role, studentId, timezone }): MyMembership[] => {
      const trainer = trainers.find((each) => each.tenantId === tenantId);
      if (!trainer) return [];
      const aluno = students.find((each) => each.studentId === studentId)?.nome ?? null;
      return [
        { tenant_id: tenantId, nome: trainer.nome, slug, role, student_id: studentId, aluno, timezone },
      ];
    });
    const [chosen, ...others] = chosenMemberships(found, request);
    const isChosen = ({ tenant_id, student_id }: MyMembership) =>
      others.length === 0 && tenant_id === chosen?.tenantId && student_id === chosen.studentId;
    return {
      user: { id, email, nome: user_metadata.nome },
      membership: memberships.find(isChosen) ?? null,
      memberships,
    };
  }
}
