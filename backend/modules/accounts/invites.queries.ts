import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { firstName } from '../../platform/portuguese.js';
import { AreaLinks } from './area-links.service.js';
import type { PayerAccess, StudentAccess } from './invites.api.js';
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

/** An open invite, and the name of whom it is for; of a payer's, the students whom it gives. */
export interface OpenInvite extends FoundInvite {
  nome: string;
  alunos: string[] | null;
}

export const ShowPayerAccess = defineQuery(
  'ShowPayerAccess',
  { invites: Invites },
  async ({ now, read }, { invites }, payerId: string): Promise<PayerAccess> => {
    const [row] = await read(ofPayer({ payerId, now }));
    if (!row) throw new Problem('payers.not_found');
    const { id, expires_at, alunos } = row;
    return {
      convite:
        id === null ? null : { id, inviteUrl: invites.urlOf(id), expires_at: expires_at!.toISOString() },
      alunos: alunos.map(({ has_account, is_payers, ...one }) => ({
        ...one,
        conta: !has_account ? null : is_payers ? 'do_pagador' : 'de_outra_pessoa',
      })),
    };
  },
);

interface Paid {
  id: string;
  nome: string;
  has_account: boolean;
  /** Whether that is the account by which the payer accepted an invite. */
  is_payers: boolean;
}

/** The active students of a payer `y`, by name. */
const PAID_FOR = sql<Paid[]>`coalesce((
  select json_agg(json_build_object('id', s.id, 'nome', s.nome, 'has_account', a.user_id is not null, 'is_payers', a.user_id in (
      select o.user_id from student_access o where o.tenant_id = y.tenant_id and o.payer_id = y.id))
    order by s.busca, s.id)
  from student_payers l
  join students s on s.tenant_id = l.tenant_id and s.id = l.id
  left join student_access a on a.tenant_id = s.tenant_id and a.id = s.id
  where l.tenant_id = y.tenant_id and l.payer_id = y.id and s.status = 'active' and s.nome is not null), '[]')`;

const ofPayer = statement((db, { payerId, now }: Blanks<{ payerId: string; now: Date }>) =>
  db
    .selectFrom('payers as y')
    .leftJoinLateral(
      (open) =>
        open
          .selectFrom('student_invites as i')
          .select(['i.id', 'i.expires_at'])
          .whereRef('i.tenant_id', '=', 'y.tenant_id')
          .whereRef('i.payer_id', '=', 'y.id')
          .where('i.closed', '=', false)
          .where('i.expires_at', '>', now)
          // That of a student whom somebody else pays for since, or who is inactive, is none any more.
          .where(
            sql<boolean>`exists (select from student_payers l join students s on s.tenant_id = l.tenant_id and s.id = l.id
              where l.tenant_id = y.tenant_id and l.id = i.student_id and l.payer_id = y.id and s.status = 'active')`,
          )
          .orderBy('i.expires_at', 'desc')
          .limit(1)
          .as('i'),
      (join) => join.onTrue(),
    )
    .select(['i.id', 'i.expires_at', PAID_FOR.as('alunos')])
    .where('y.id', '=', payerId)
    .where('y.removed', '=', false)
    .compile(),
);

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
    const { tenantId, inviteId, studentId, expiresAt, closed } = invite;
    const [student] = await this.database.read(tenantId, invited({ studentId, inviteId }));
    if (!student || student.nome === null) throw new Problem('invites.not_valid');
    const { pagador, payer_id, alunos } = student;
    // Where the payer's was accepted, the student's own ended unused, and the other way round.
    if (closed && student.user_id !== null && student.de_pagador === payer_id)
      throw new Problem('invites.used');
    if (closed || expiresAt <= this.clock.now()) throw new Problem('invites.not_valid');
    if (payer_id === null) return { ...invite, nome: student.nome, alunos: null };
    // Whoever does not pay for the student any more has no link.
    const given = alunos.filter(({ has_account }) => !has_account);
    if (pagador === null || !given.some(({ id }) => id === studentId)) throw new Problem('invites.not_valid');
    return { ...invite, nome: pagador, alunos: given.map(({ nome }) => firstName(nome)) };
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

const invited = statement((db, { studentId, inviteId }: Blanks<{ studentId: string; inviteId: string }>) =>
  db
    .selectFrom('students as s')
    .innerJoin('student_invites as i', (join) => sameTenant(join, 'i.student_id', 's.id'))
    .leftJoin('student_access as a', (join) => sameTenant(join, 'a.id', 's.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'i.payer_id'))
    .select([
      's.nome',
      'a.user_id',
      'a.payer_id as de_pagador',
      'i.payer_id',
      'y.nome as pagador',
      PAID_FOR.as('alunos'),
    ])
    .where('i.id', '=', inviteId)
    .where('s.id', '=', studentId)
    .where('s.status', '=', 'active')
    .compile(),
);
