import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { freeTimesApi } from './free-times.api.js';
import { groupsApi } from './groups.api.js';
import { ownCancellationApi } from './own-cancellation.api.js';
import { recentStudentsApi } from './recent-students.api.js';
import { sessionDaysApi } from './session-days.api.js';
import { weekCopyApi } from './week-copy.api.js';
import { agendaApi, agendaErrors } from './agenda.api.js';
import {
  ChangeSession,
  CancelSession,
  BookSession,
  DeleteSession,
  RestoreSession,
  CompleteSession,
  ReopenSession,
} from './agenda.commands.js';
import { PreviewCancellation, PreviewOwnCancellation } from './cancellation.queries.js';
import { agendaHistory } from './agenda.history.js';
import { sessionWhy } from './agenda.why.js';
import { ShowDashboard, ListSessions, ListSessionsToCharge, GetSession } from './agenda.queries.js';
import { ListFreeTimes } from './free-times.queries.js';
import {
  BookGroup,
  CancelGroup,
  CompleteGroup,
  ReopenGroup,
  UndoBookings,
  AddMembers,
} from './groups.commands.js';
import { ListGroup, PreviewGroupCancellation } from './groups.queries.js';
import { ListRecentStudents } from './recent-students.queries.js';
import { CountSessionDays } from './session-days.queries.js';
import { sessionSlots } from './session-slots.guard.js';
import { CopyWeek } from './week-copy.commands.js';
import { PreviewWeekCopy } from './week-copy.queries.js';
import { agendaEffects } from './agenda.effects.js';

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
      undo: UndoBookings,
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
