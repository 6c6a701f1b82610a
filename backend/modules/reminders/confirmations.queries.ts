import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import type { Confirmation } from './reminders.api.js';

const FIND = `select tenant_id as "tenantId", reminder_id as "reminderId", session_id as "sessionId",
    student_id as "studentId", inicio, timezone, personal from auth.find_reminder($1)`;

/** Tenant and reminder of a link. */
export interface FoundReminder {
  tenantId: string;
  reminderId: string;
  sessionId: string;
  studentId: string;
  inicio: Date;
  timezone: string;
  /** The trainer's name. */
  personal: string;
}

/** @throws Problem 404 for an unknown link */
export async function findReminder(database: Database, token: string): Promise<FoundReminder> {
  const [found] = await database.lookUp<FoundReminder>(FIND, [hashOf(token)]);
  if (!found) throw new Problem('reminders.link_not_valid');
  return found;
}

/** The data that anybody with the link may see. */
export class ShowConfirmation extends Query<Confirmation> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(ShowConfirmation)
export class ShowConfirmationHandler implements IQueryHandler<ShowConfirmation> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: ShowConfirmation): Promise<Confirmation> {
    const { tenantId, reminderId, inicio, timezone, personal } = await findReminder(this.database, token);
    const [row] = await this.database.read(tenantId, standing({ id: reminderId }));
    const about = { personal, inicio: inicio.toISOString(), timezone };
    if (inicio <= this.clock.now()) return { ...about, situacao: 'encerrada' };
    const stands = row?.status === 'agendada' && !row.deleted && row.inicio.getTime() === inicio.getTime();
    if (!stands) return { ...about, situacao: 'alterada' };
    return { ...about, situacao: row.confirmado_em === null ? 'aberta' : 'confirmada' };
  }
}

const standing = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('reminders as r')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'r.tenant_id')
        .onRef('s.id', '=', 'r.session_id')
        .onRef('s.student_id', '=', 'r.student_id'),
    )
    .select(['s.status', 's.deleted', 's.inicio', 'r.confirmado_em'])
    .where('r.id', '=', id)
    .compile(),
);
