import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
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
    .select(['trainer.user_id', 'student.nome'])
    .where('trainer.role', '=', 'personal')
    .where('member.student_id', '=', studentId)
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
      return this.outbox.react(occasion, { kind: KIND, personId: studentId, subjectId: studentId });
    });
  }

  /** Nothing where the student was forgotten or has no access any more, or the trainer's account is gone. */
  private async compose({ tenantId, subjectId: studentId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, joined({ studentId }));
    if (!row?.nome) return null;
    const [trainer] = await this.database.query<{ email: string }>(EMAIL, [row.user_id]);
    if (!trainer) return null;
    return {
      to: trainer.email,
      subject: `${row.nome} aceitou seu convite`,
      paragraphs: [`${row.nome} aceitou seu convite e já pode ver as próprias aulas no Rende.`],
      button: { label: 'Abrir o cadastro', url: `${this.config.siteUrl}/alunos/edit/${studentId}` },
      footnote: 'Não era para ser essa pessoa? Abra o cadastro e encerre o acesso.',
    };
  }
}
