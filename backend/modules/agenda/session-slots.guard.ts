import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import { firstStart } from './session-times.loads.js';
import type { SessionEvent } from '../sessions/session.js';

/** Occupies the time exclusively: the constraint refuses an overlap with any stretch. */
const OCCUPY = `with member as (
  insert into session_slot_members (tenant_id, session_id, during) values ($1, $2, tstzrange($3, $4))
)
insert into session_slots (tenant_id, during) values ($1, tstzrange($3, $4))`;

/** Occupies the time together with its group: the constraint refuses an overlap with any other session. */
const OCCUPY_IN_GROUP = `with own as (
  select grupo_id from session_groups where tenant_id = $1 and session_id = $2
), member as (
  insert into session_slot_members (tenant_id, session_id, during) values ($1, $2, tstzrange($3, $4))
), met as (
  delete from session_slots
  where tenant_id = $1 and inicio < $4 and fim > $3 and inicio >= ${firstStart('$3')}
    and exists (select from own) and not exists (
      select from session_slot_members m
      left join session_groups g on g.tenant_id = m.tenant_id and g.session_id = m.session_id
      where m.tenant_id = $1 and m.inicio < $4 and m.fim > $3 and m.inicio >= ${firstStart('$3')}
        and g.grupo_id is distinct from (select grupo_id from own)
    )
  returning during
)
insert into session_slots (tenant_id, during)
select $1, unnest(range_agg(during)) from (select tstzrange($3, $4) as during union all select during from met) as parts`;

const GROUP = 'insert into session_groups (tenant_id, session_id, grupo_id) values ($1, $2, $3)';

/** Occupies the time in spite of overlaps: merges with the stretches that it overlaps. */
const JOIN = `with member as (
  insert into session_slot_members (tenant_id, session_id, during) values ($1, $2, tstzrange($3, $4))
), met as (
  delete from session_slots
  where tenant_id = $1 and inicio < $4 and fim > $3 and inicio >= ${firstStart('$3')} returning during
)
insert into session_slots (tenant_id, during)
select $1, unnest(range_agg(during)) from (select tstzrange($3, $4) as during union all select during from met) as parts`;

/** Frees the time: its stretch is reduced to the times of the sessions that remain in it. */
const LEAVE = `with gone as (
  delete from session_slot_members where tenant_id = $1 and session_id = $2 returning inicio
), stretch as (
  delete from session_slots
  where tenant_id = $1 and inicio = ${firstStart('(select inicio from gone)')} returning inicio, fim
)
insert into session_slots (tenant_id, during)
select $1, unnest(range_agg(m.during))
from session_slot_members m
where m.tenant_id = $1 and m.inicio >= (select inicio from stretch) and m.inicio < (select fim from stretch)
  and m.session_id <> $2`;

type Time = { session_id: string; inicio: string; fim: string; permitir_conflito: boolean };
const take = ({ session_id, inicio, fim, permitir_conflito }: Time, alone = OCCUPY_IN_GROUP): Write => [
  permitir_conflito ? JOIN : alone,
  session_id,
  inicio,
  fim,
];
const leave = ({ session_id }: { session_id: string }): Write => [LEAVE, session_id];
const group = (session_id: string, grupo_id: string): Write => [GROUP, session_id, grupo_id];
const takeBack = (data: Time & { de: string }) => (data.de === 'cancelada' ? [take(data)] : []);
const leaveUnlessLeft = (data: { session_id: string; de: string }) =>
  data.de === 'cancelada' ? [] : [leave(data)];

/** Sessions of a trainer do not overlap unless they belong to one group or the trainer has permitted it. */
export const sessionSlots = defineGuard<SessionEvent>({
  name: 'session-slots',
  tables: ['session_slot_members', 'session_slots', 'session_groups'],
  writes: {
    SessionBooked: (data) =>
      data.grupo_id === null ? [take(data, OCCUPY)] : [group(data.session_id, data.grupo_id), take(data)],
    SessionGrouped: ({ session_id, grupo_id }) => [group(session_id, grupo_id)],
    SessionRescheduled: (data) => (data.ocupa ? [leave(data), take(data)] : []),
    SessionCompleted: takeBack,
    SessionReopened: takeBack,
    SessionRestored: (data) => (data.para === 'cancelada' ? [] : [take(data)]),
    SessionCancelled: leaveUnlessLeft,
    SessionDeleted: leaveUnlessLeft,
  },
  violations: { session_slots_free: () => new Problem('agenda.overlap') },
});
