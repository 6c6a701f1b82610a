import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { sql } from 'kysely';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { StudentAccessEvent } from './student-access.js';

const KIND = 'accounts.invite-accepted';

/** Tells the trainer by mail that a student has accepted the invite. */
export const inviteAcceptedMail = defineReaction({
  name: 'invite-accepted-mail',
  events: ['InviteAccepted'] satisfies StudentAccessEvent['type'][],
});

const joined = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('memberships as trainer')
    .innerJoin('memberships as member', 'member.tenant_id', 'trainer.tenant_id')
    .innerJoin('students as student', (join) => sameTenant(join, 'student.id', 'member.student_id'))
    .leftJoin('student_access as a', (join) => sameTenant(join, 'a.id', 'student.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'a.payer_id'))
    .select(['trainer.user_id', 'student.nome', 'y.id as payer_id', 'y.nome as pagador'])
    .select(
      sql<string[]>`array(select split_part(s.nome, ' ', 1) from student_access o
        join students s on s.tenant_id = o.tenant_id and s.id = o.id
        where o.tenant_id = a.tenant_id and o.payer_id = a.payer_id and s.nome is not null order by s.busca, s.id)`.as(
        'alunos',
      ),
    )
    .where('trainer.role', '=', 'personal')
    .where('member.student_id', '=', studentId)
    .compile(),
);
const inviteOf = statement((db, { id, studentId }: Blanks<{ id: string; studentId: string }>) =>
  db
    .selectFrom('student_invites')
    .select('id')
    .where('id', '=', id)
    .where('student_id', '=', studentId)
    .compile(),
);
const EMAIL = 'select email from auth.users where id = $1';

@Injectable()
export class InviteMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail));
    this.reactions.handle(inviteAcceptedMail, async (occasion) => {
      const studentId = occasion.event.data.student_id as string;
      const { invite_id, payer_id } = occasion.event.data;
      // Of a payer's invite, which is the first student's, one mail is enough.
      if (payer_id !== undefined) {
        const [own] = await this.database.read(
          occasion.event.tenantId,
          inviteOf({ id: invite_id as string, studentId }),
        );
        if (!own) return undefined;
      }
      return this.outbox.react(occasion, { kind: KIND, personId: studentId, subjectId: studentId });
    });
  }

  /** Nothing where the student was forgotten or has no access any more, or the trainer's account is gone. */
  private async compose({ tenantId, subjectId: studentId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, joined({ studentId }));
    if (!row?.nome) return null;
    const [trainer] = await this.database.query<{ email: string }>(EMAIL, [row.user_id]);
    if (!trainer) return null;
    const nome = row.pagador ?? row.nome;
    const whose = row.pagador
      ? `as aulas de ${new Intl.ListFormat('pt-BR').format(row.alunos)}`
      : 'as próprias aulas';
    const page = row.pagador ? `pagadores/${row.payer_id}` : `alunos/edit/${studentId}`;
    return {
      to: trainer.email,
      subject: `${nome} aceitou seu convite`,
      paragraphs: [`${nome} aceitou seu convite e já pode ver ${whose} no Rende.`],
      button: { label: 'Abrir o cadastro', url: `${this.config.siteUrl}/${page}` },
      footnote: 'Não era para ser essa pessoa? Abra o cadastro e encerre o acesso.',
    };
  }
}
