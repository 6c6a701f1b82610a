import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import type { Cause } from '../../platform/mail/mail-limits.js';
import { causeOf } from '../../platform/mail/outbox.js';
import { type LetterLink, type SwitchedOff, switchedOff } from './letters.api.js';
import { usualMails } from './notification-settings.api.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const FIND = `select tenant_id as "tenantId", student_id as "studentId", kind, timezone
  from auth.find_letter_link($1)`;

/** What a link is about. */
export interface FoundLetterLink {
  tenantId: string;
  /** Or of a payer. */
  studentId: string;
  /** Null for a mail of no kind that can be switched off alone. */
  kind: SwitchedOff | null;
  addressHash: Buffer;
  cause: Cause;
  timezone: string;
}

@Injectable()
export class LetterLinks {
  constructor(
    private readonly database: Database,
    private readonly addresses: MailAddresses,
  ) {}

  /** @throws Problem 404 for an unknown link */
  async find(token: string): Promise<FoundLetterLink> {
    const link = await this.look(token);
    if (!link) throw new Problem('letters.not_valid');
    return link;
  }

  /** What its page shows. */
  async show(token: string): Promise<LetterLink> {
    const { tenantId, studentId, kind, addressHash } = await this.find(token);
    const [row] = await this.database.read(tenantId, letters({ studentId, kind: kind ?? '', addressHash }));
    return {
      tipo: kind,
      personal: row?.personal ?? 'Seu personal',
      ativo: !row?.desligado,
      personal_ativo: !row?.parado,
    };
  }

  async look(token: string): Promise<FoundLetterLink | null> {
    const link = this.addresses.read(token);
    if (!link) return this.lookStored(token);
    const { tenantId, personId: studentId, addressHash, kind } = link;
    const [about] = await this.database.read(tenantId, aboutLink({ studentId }));
    if (!about) return null;
    const { timezone, is_known } = about;
    // Of somebody who was forgotten, only the address is told.
    const known = is_known ? (switchedOff.safeParse(kind).data ?? null) : null;
    return { tenantId, studentId, addressHash, kind: known, cause: causeOf(kind), timezone };
  }

  /** Links of mails of an earlier release. */
  private async lookStored(token: string): Promise<FoundLetterLink | null> {
    const [link] = await this.database.lookUp<Omit<FoundLetterLink, 'addressHash' | 'cause'>>(FIND, [
      hashOf(token),
    ]);
    if (!link) return null;
    const [about] = await this.database.read(link.tenantId, aboutLink({ studentId: link.studentId }));
    return { ...link, addressHash: this.addresses.hashOf(about?.email ?? ''), cause: 'trainer' };
  }
}

const aboutLink = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  sql<{
    timezone: string;
    is_known: boolean;
    email: string | null;
  }>`select t.timezone, coalesce(s.nome, y.nome) is not null as is_known, s.email
    from tenants t left join students s on s.tenant_id = t.tenant_id and s.id = ${studentId}
    left join payers y on y.tenant_id = t.tenant_id and y.id = ${studentId}
    where not exists (select from closed_tenants c where c.tenant_id = t.tenant_id)`.compile(db),
);

const letters = statement(
  (db, { studentId, kind, addressHash }: Blanks<{ studentId: string; kind: string; addressHash: Buffer }>) =>
    db
      .selectNoFrom([
        trainersName.as('personal'),
        sql<boolean>`exists (select from letters_off o where o.student_id = ${studentId} and o.kind = ${kind})
        or exists (select from memberships m
          join notification_settings c on c.tenant_id = m.tenant_id and c.user_id = m.user_id
          where m.student_id = ${studentId} and (${kind}::text = any(c.desligados)
            or (${kind}::text = any(${sql.lit(`{${usualMails.aluno.join()}}`)}::text[]) and not ${kind}::text = any(c.email))))`.as(
          'desligado',
        ),
        sql<boolean>`exists (select from mail_stops where address_hash = ${addressHash}::bytea)`.as('parado'),
      ])
      .compile(),
);
