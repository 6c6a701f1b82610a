import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import type { LetterLink, SwitchedOff } from './letters.api.js';
import { usualMails } from './notification-settings.api.js';

const FIND = `select tenant_id as "tenantId", student_id as "studentId", kind, timezone
  from auth.find_letter_link($1)`;

/** The student and kind of mails that a link belongs to. */
interface FoundLetterLink {
  tenantId: string;
  studentId: string;
  kind: SwitchedOff;
  timezone: string;
}

/** @throws Problem 404 for an unknown or expired link */
export async function findLetterLink(database: Database, token: string): Promise<FoundLetterLink> {
  const [link] = await database.lookUp<FoundLetterLink>(FIND, [hashOf(token)]);
  if (!link) throw new Problem('letters.not_valid');
  return link;
}

export class ShowLetterLink extends Query<LetterLink> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(ShowLetterLink)
export class ShowLetterLinkHandler implements IQueryHandler<ShowLetterLink> {
  constructor(private readonly database: Database) {}

  async execute({ token }: ShowLetterLink): Promise<LetterLink> {
    const { tenantId, studentId, kind } = await findLetterLink(this.database, token);
    const [row] = await this.database.read(tenantId, letters({ studentId, kind }));
    return { tipo: kind, personal: row?.personal ?? 'Seu personal', ativo: !row?.desligado };
  }
}

const letters = statement((db, { studentId, kind }: Blanks<{ studentId: string; kind: string }>) =>
  db
    .selectNoFrom([
      sql<
        string | null
      >`(select u.user_metadata ->> 'nome' from memberships m join auth.users u on u.id = m.user_id
        where m.role = 'personal' limit 1)`.as('personal'),
      sql<boolean>`exists (select from letters_off o where o.student_id = ${studentId} and o.kind = ${kind})
        or exists (select from memberships m
          join notification_settings c on c.tenant_id = m.tenant_id and c.user_id = m.user_id
          where m.student_id = ${studentId} and (${kind}::text = any(c.desligados)
            or (${kind}::text = any(${sql.lit(`{${usualMails.aluno.join()}}`)}::text[]) and not ${kind}::text = any(c.email))))`.as(
        'desligado',
      ),
    ])
    .compile(),
);
