import { Module } from '@nestjs/common';
import { sql } from 'kysely';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/http/problem.js';
import type { Effect, Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';
import { definePrice } from '../audit/price.queries.js';
import { freeTimesApi } from './free-times.api.js';
import {
  groupsApi,
  type Group,
  type GroupCancellation,
  type GroupReturn,
  type SessionIds,
  type OneHour,
} from './groups.api.js';
import { ownCancellationApi } from './own-cancellation.api.js';
import { recentStudentsApi, type RecentStudents } from './recent-students.api.js';
import { sessionDaysApi } from './session-days.api.js';
import { weekCopyApi, type WeekCopy } from './week-copy.api.js';
import { agendaApi, agendaErrors } from './agenda.api.js';
import {
  ChangeSession,
  CancelSession,
  BookSession,
  DeleteSession,
  RestoreSession,
  CompleteSession,
  ReopenSession,
  loadSession,
} from './agenda.commands.js';
import { PreviewCancellation, PreviewOwnCancellation } from './cancellation.queries.js';
import { agendaHistory } from './agenda.history.js';
import { sessionWhy } from './agenda.why.js';
import {
  ShowDashboard,
  ListSessions,
  ListSessionsToCharge,
  GetSession,
  details,
  shown,
} from './agenda.queries.js';
import { ListFreeTimes } from './free-times.queries.js';
import {
  BookGroup,
  CancelGroup,
  CompleteGroup,
  ReopenGroup,
  UndoBookings,
  AddMembers,
  cancelHour,
} from './groups.commands.js';
import { CountSessionDays } from './session-days.queries.js';
import { sessionSlots } from './session-slots.guard.js';
import { PreviewWeekCopy } from './week-copy.queries.js';
import { accountsOf } from '../students/credit-accounts.queries.js';
import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { daysLater } from '../../platform/local-time.js';
import { activeStudent, student } from '../students/student.js';
import { refuseOverlap } from './session.loads.js';
import { isPermitted, loadBusy, refuseClosed } from './session-times.loads.js';
import { decideBook, type KnownSession, session, single } from '../sessions/session.js';

const SHOWN = 6;
/** Days before and after now. */
const NEAR_DAYS = 28;

const ListRecentStudents = defineQuery(
  'ListRecentStudents',
  async ({ now, read }): Promise<RecentStudents> => {
    return { items: await read(recent({ now })) };
  },
);

const recent = statement((db, { now }: Blanks<{ now: Date }>) =>
  sql<RecentStudents['items'][number]>`
    select st.id, st.nome, (
      select coalesce(sum(l.restante), 0)::int from credit_lot_balances l
      where l.tenant_id = st.tenant_id and l.student_id = any(${accountsOf(sql`st.id`)}) and l.restante > 0
        and (l.expires_at is null or l.expires_at > ${now}::timestamptz)
    ) as creditos
    from (
      select student_id, min(abs(extract(epoch from inicio - ${now}::timestamptz))) as distance
      from sessions
      where not deleted
        and inicio > ${now}::timestamptz - make_interval(days => ${sql.lit(NEAR_DAYS)})
        and inicio < ${now}::timestamptz + make_interval(days => ${sql.lit(NEAR_DAYS)})
      group by student_id
    ) near
    join students st on st.id = near.student_id
    where st.status = 'active' and st.nome is not null
    order by near.distance, st.id
    limit ${sql.lit(SHOWN)}`.compile(db),
);

const ListGroup = defineQuery('ListGroup', async ({ read }, id: string): Promise<Group> => {
  const rows = await read(members({ id }));
  if (rows.length === 0) throw new Problem('agenda.group_not_found');
  return { items: rows.map(shown) };
});

const members = statement((db, { id }: Blanks<{ id: string }>) =>
  details(db).where('s.grupo_id', '=', id).orderBy('st.nome').orderBy('s.id').limit(100).compile(),
);

const PreviewGroupCancellation = defineQuery(
  'PreviewGroupCancellation',
  { store: EventStore },
  async ({ context }, { store }, id: string, hour: OneHour): Promise<GroupCancellation> =>
    store.rehearse(context, (tx) => cancelHour(tx, id, hour)),
);

const WEEK_DAYS = 7;

const hourOf = ({ grupo_id, session_id, inicio }: KnownSession) => `${grupo_id ?? session_id} ${inicio}`;
const meets = (one: KnownSession, other: KnownSession) => one.inicio < other.fim && other.inicio < one.fim;

/** Books sessions again a week later at the same local times, groups as groups: all of them or none. */
const CopyWeek = defineCommand('CopyWeek', async (tx, { session_ids, mesmo_assim }: WeekCopy) => {
  const { timezone } = tx.context;
  const sources = await Promise.all(session_ids.map((id) => loadSession(tx, id)));
  const students = await Promise.all(sources.map(({ student_id }) => tx.load(student, student_id)));
  for (const who of students) activeStudent(who);
  const later = (at: string) => new Date(daysLater(Date.parse(at), WEEK_DAYS, timezone)).toISOString();

  /** Sessions that overlap each other may overlap in the copy too. */
  const isShared = (one: KnownSession) =>
    sources.some((other) => hourOf(other) !== hourOf(one) && meets(one, other));

  const groups = new Map<string, string>();
  const made: string[] = [];
  for (const source of sources) {
    const { student_id, inicio, fim, location_id, grupo_id, servico } = source;
    const hour = hourOf(source);
    const period = { inicio: later(inicio), fim: later(fim) };
    const isWanted = isPermitted(tx, { permitir_conflito: mesmo_assim.includes(source.session_id) });
    const isFirst = grupo_id === null || !groups.has(hour);
    if (isFirst) {
      await refuseOverlap(tx, { ...period, location_id }, isWanted);
      await refuseClosed(tx, { ...period, location_id }, isWanted);
    }
    const isKept = !isWanted && isShared(source);
    // The guard permits the overlap with other copied sessions; this check refuses one with any other session.
    if (isKept && (await loadBusy(tx, Date.parse(period.inicio), Date.parse(period.fim))).length > 0)
      throw new Problem('agenda.overlap');
    if (grupo_id !== null && isFirst) groups.set(hour, randomUUID());
    const session_id = randomUUID();
    const belonging = { ...single, grupo_id: groups.get(hour) ?? null };
    const booking = { session_id, student_id, ...period, location_id, observacoes: null, servico };
    const permitir_conflito = isWanted || isKept;
    tx.append(session, session_id, decideBook({ ...booking, ...belonging, permitir_conflito, timezone }));
    made.push(session_id);
  }
  return { session_ids: made };
});

const sessionEffect =
  (kind: string, verb: string, after: string) =>
  ({ student_id }: { student_id: string }): Effect[] => [
    {
      kind,
      quantidade: 1,
      student_id,
      texto: (sum, nome) =>
        `${verb} ${plural(sum, 'sessão', 'sessões')}${nome === null ? '' : ` de ${nome}`}${after}`,
    },
  ];

const agendaEffects: Effects = {
  SessionReopened: sessionEffect('reopened', 'agenda de novo', ''),
  SessionRescheduled: sessionEffect('moved back', 'leva', ' de volta ao horário de antes'),
  SessionChanged: sessionEffect('changed back', 'deixa', ' com o local e as observações de antes'),
  SessionDeleted: sessionEffect('removed', 'tira da agenda', ''),
  SessionRestored: sessionEffect('restored', 'traz de volta à agenda', ''),
  SessionReassigned: ({ student_id }: { student_id: string }) => [
    {
      kind: 'sessions reassigned',
      quantidade: 1,
      student_id,
      texto: (sum) => `passa ${plural(sum, 'sessão', 'sessões')} de volta ao outro cadastro`,
    },
  ],
};

/**
 * A group is one session per student. Sessions with the same `grupo_id` and start are one hour. Members of a group may share a
 * time (`session_groups` in the slots guard), others may not; hours of one group with different starts may overlap only where
 * the trainer allows it. Moving one session, or changing its location, moves all that are still scheduled; each is settled
 * separately, except that the trainer cancels what is still scheduled of an hour in one command. Calendars, counts and the
 * dashboard count hours (`shared-hours.ts`, `session-days.queries.ts`): an hour is scheduled while one of its sessions is. Copying a week books in one command what its preview showed. No command makes a
 * session done whose day, in the tenant's zone, is to come; one that was done so before stays as it is.
 */
@Module(
  together(
    serve(agendaApi, {
      change: ChangeSession,
      cancel: CancelSession,
      cancellation: PreviewCancellation,
      dashboard: ShowDashboard,
      list: ListSessions,
      book: BookSession,
      toCharge: ListSessionsToCharge,
      get: GetSession,
      remove: DeleteSession,
      restore: RestoreSession,
      complete: CompleteSession,
      reopen: ReopenSession,
      // That its time is taken is asked when it is reopened.
      reopenPrice: definePrice<[string]>('PriceReopenSession', ReopenSession, (id) => [
        id,
        { permitir_conflito: true },
      ]),
    }),
    serve(freeTimesApi, { list: ListFreeTimes }),
    serve(groupsApi, {
      get: ListGroup,
      book: BookGroup,
      complete: CompleteGroup,
      cancel: CancelGroup,
      cancellation: PreviewGroupCancellation,
      reopen: ReopenGroup,
      reopenPrice: definePrice<[string, GroupReturn]>('PriceReopenGroup', ReopenGroup, (id, wanted) => [
        id,
        { ...wanted, permitir_conflito: true },
      ]),
      undo: UndoBookings,
      undoPrice: definePrice<[SessionIds]>('PriceUndoBookings', UndoBookings),
      add: AddMembers,
    }),
    serve(ownCancellationApi, { show: PreviewOwnCancellation }),
    serve(recentStudentsApi, { list: ListRecentStudents }),
    serve(sessionDaysApi, { count: CountSessionDays }),
    serve(weekCopyApi, { preview: PreviewWeekCopy, copy: CopyWeek }),
  ),
)
export class AgendaModule {
  static readonly feature: Feature = {
    guards: [sessionSlots],
    history: agendaHistory,
    effects: agendaEffects,
    why: { session: sessionWhy },
    errors: agendaErrors,
  };
}
