import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { AreaLinks } from './area-links.service.js';
import type { StudentAccess } from './invites.api.js';
import { type FoundInvite, Invites } from './invites.service.js';

export const ShowStudentAccess = defineQuery(
  'ShowStudentAccess',
  { invites: Invites, areas: AreaLinks },
  async ({ now, read }, { invites, areas }, studentId: string): Promise<StudentAccess> => {
    const [row] = await read(access({ studentId }));
    if (!row) throw new Problem('students.not_found');
    const { invite_id, expires_at, since, nome, area_link_id, area_expires_at } = row;
    const isOpen = invite_id !== null && expires_at !== null && expires_at > now;
    const hasArea = area_link_id !== null && area_expires_at !== null && area_expires_at > now;
    return {
      convite: isOpen
        ? { id: invite_id, inviteUrl: invites.urlOf(invite_id), expires_at: expires_at.toISOString() }
        : null,
      area: hasArea ? { url: areas.urlOf(area_link_id), expires_at: area_expires_at.toISOString() } : null,
      conta: since === null ? null : { nome: nome ?? 'Aluno', desde: since.toISOString() },
    };
  },
);

/** An open invite, and the name of the student whom it is for. */
export interface OpenInvite extends FoundInvite {
  nome: string;
}

@Injectable()
export class OpenInvites {
  constructor(
    private readonly database: Database,
    private readonly invites: Invites,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 409 for an invite of somebody who has an account, 404 for one that is not valid for another reason */
  async find(token: string): Promise<OpenInvite> {
    const invite = await this.invites.find(token);
    const { tenantId, studentId, expiresAt, closed } = invite;
    const [student] = await this.database.read(tenantId, invited({ studentId }));
    if (!student || student.nome === null) throw new Problem('invites.not_valid');
    if (closed && student.user_id !== null) throw new Problem('invites.used');
    if (closed || expiresAt <= this.clock.now()) throw new Problem('invites.not_valid');
    return { ...invite, nome: student.nome };
  }
}

const access = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_access as a', (join) => sameTenant(join, 'a.id', 's.id'))
    .leftJoin('auth.users as u', 'u.id', 'a.user_id')
    .select(['a.invite_id', 'a.expires_at', 'a.since', 'a.area_link_id', 'a.area_expires_at'])
    .select(sql<string | null>`u.user_metadata ->> 'nome'`.as('nome'))
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .compile(),
);

const invited = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_access as a', (join) => sameTenant(join, 'a.id', 's.id'))
    .select(['s.nome', 'a.user_id'])
    .where('s.id', '=', studentId)
    .where('s.status', '=', 'active')
    .compile(),
);
