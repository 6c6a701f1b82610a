import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import { FindPhone } from '../accounts/profile.queries.js';
import { agreedAddress } from '../services/offered.queries.js';

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

/** What the page of a link shows: no name but the trainer's. */
export interface Confirmation {
  personal: string;
  /** When it is now. */
  inicio: string;
  timezone: string;
  situacao: 'aberta' | 'confirmada' | 'remarcada' | 'desmarcada' | 'encerrada';
  /** When it was to be as the reminder was made. */
  anunciada: string;
  /** Where it is, if it is still booked. */
  local: { nome: string; endereco: string | null } | null;
  /** The address of its meeting, if it is held online. */
  chamada: string | null;
  /** The student has asked to cancel or move it, and the trainer has not answered. */
  pedido: string | null;
  /** Number of the trainer; null where visitors are not to see it. */
  whatsapp: string | null;
}

@Injectable()
export class Confirmations {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async show(token: string): Promise<Confirmation> {
    const { tenantId, reminderId, inicio, timezone, personal } = await findReminder(this.database, token);
    const [row] = await this.database.read(tenantId, standing({ id: reminderId }));
    const { booked, confirmado_em, pedido, local, endereco, chamada, trainer, salvo, whatsapp } = row!;
    const about = {
      personal,
      timezone,
      pedido,
      anunciada: inicio.toISOString(),
      inicio: (booked ?? inicio).toISOString(),
      local: local === null ? null : { nome: local, endereco },
      chamada,
      whatsapp: salvo ? whatsapp : await this.queries.execute(new FindPhone(trainer)),
    };
    if ((booked ?? inicio) <= this.clock.now()) return { ...about, situacao: 'encerrada' };
    if (booked === null) return { ...about, situacao: 'desmarcada' };
    if (booked.getTime() !== inicio.getTime()) return { ...about, situacao: 'remarcada' };
    return { ...about, situacao: confirmado_em === null ? 'aberta' : 'confirmada' };
  }
}

interface Standing {
  /** When the session is now; null if it is no longer booked for the student. */
  booked: Date | null;
  confirmado_em: Date | null;
  pedido: string | null;
  local: string | null;
  endereco: string | null;
  chamada: string | null;
  /** User. */
  trainer: string;
  /** Whether the settings of the public page were saved, which name another number than the account, or none. */
  salvo: boolean;
  whatsapp: string | null;
}

const standing = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<Standing>`select s.inicio as booked, r.confirmado_em, q.pedido, l.nome as local, l.endereco, ${agreedAddress} as chamada, m.user_id as trainer,
    coalesce(p.salvo, false) as salvo, p.whatsapp
    from memberships m
    left join reminders r on r.tenant_id = m.tenant_id and r.id = ${id}
    left join sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id and s.student_id = r.student_id
      and s.status = 'agendada' and not s.deleted
    left join session_requests q on q.tenant_id = s.tenant_id and q.id = s.id and q.student_id = s.student_id
      and q.inicio = s.inicio and q.situacao = 'aberto'
    left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
    left join public_links p on p.tenant_id = m.tenant_id
    where m.role = 'personal' limit 1`.compile(db),
);
