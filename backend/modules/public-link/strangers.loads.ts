import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { MOST_STRANGERS } from './public-link.api.js';

export interface StrangerRow {
  student_id: string;
  nome: string;
  /** Their bookings that wait for the trainer. */
  abertas: { visit_id: string; session_id: string; inicio: string }[];
}

/** Whether a student was registered by a visitor's booking, and nothing of theirs was ever confirmed or paid. */
const isUnmet = (tenant: string, student: string): string => `(
  ${student} in (select n.student_id from visits n where n.tenant_id = ${tenant} and n.novo)
  and not exists (select from charge_payments p where p.tenant_id = ${tenant} and p.student_id = ${student})
  and not exists (select from sessions o where o.tenant_id = ${tenant} and o.student_id = ${student}
    and (o.confirmado or o.status = 'feita')))`;

/** The students whose the bookings of somebody may be whom a booking registered: those who have the phone. */
export const ownersOf = (tenant: string, student: string): string => `
  select o.id as student_id, o.nome, o.status = 'archived' as inativo from students who
  join students o on o.tenant_id = who.tenant_id and o.id <> who.id and who.whatsapp in (o.whatsapp, o.telefone)
  where who.tenant_id = ${tenant} and who.id = ${student} and o.status in ('active', 'archived') and o.nome is not null
    and ${isUnmet(tenant, 'who.id')} and not ${isUnmet(tenant, 'o.id')}
  order by o.status, o.busca, o.id limit 10`;

/**
 * People who exist only because a visitor typed them: they were registered by a booking, nobody signed in has ever done
 * anything about them, and nothing of theirs was confirmed. Those of the tenant
 * `$1` with a booking that waits at `$2`, or that lapsed.
 */
export const strangersOf = (only = ''): string => `
  select v.student_id, st.nome, coalesce(json_agg(json_build_object('visit_id', v.id, 'session_id', s.id,
      'inicio', s.inicio) order by s.inicio) filter (where s.status = 'agendada' and s.inicio > $2), '[]') as abertas
  from visits v
  join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
  join students st on st.tenant_id = v.tenant_id and st.id = v.student_id
  where v.tenant_id = $1 and st.nome is not null ${only}
    and (s.status = 'agendada' and s.inicio > $2 and not s.deleted or v.venceu)
    and ${isUnmet('$1', 'v.student_id')}
    and not exists (select from history h where h.tenant_id = $1
      and h.subject = 'student:' || v.student_id and h.actor <> h.tenant_id offset 0)
  group by v.student_id, st.nome
  order by min(v.criado_em), v.student_id limit ${MOST_STRANGERS}`;

/** What somebody did is not in the read tables yet, so somebody may have got to know one of them. */
export const unprojectedActs = defineLookUp<{ position: number }, []>(`
  select position from events where tenant_id = $1 and (meta ->> 'actor')::uuid <> tenant_id
    and position > (select min(position) from projection_checkpoint
      where tenant_id = $1 and projection in ('shared', 'visits', 'sessions', 'students', 'history')) limit 1`);
