import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { agendaErrors } from './agenda.api.js';
import {
  BookSession,
  CancelSession,
  ChangeSession,
  CompleteSession,
  DeleteSession,
  ReopenSession,
  RestoreSession,
} from './agenda.commands.js';
import { AgendaController } from './agenda.controller.js';
import { PreviewCancellation, PreviewOwnCancellation } from './cancellation.queries.js';
import { agendaHistory } from './agenda.history.js';
import { GetSession, ListSessions, ListSessionsToCharge, ShowDashboard } from './agenda.queries.js';
import { AddMembers, BookGroup, CompleteGroup, ReopenGroup, UndoBookings } from './groups.commands.js';
import { GroupsController } from './groups.controller.js';
import { ListGroup } from './groups.queries.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { ListOwnSessionsHandler } from './own-sessions.queries.js';
import { PolicyPreviewController } from './policy-preview.controller.js';
import { PreviewPolicy } from './policy-preview.queries.js';
import { RecentStudentsController } from './recent-students.controller.js';
import { ListRecentStudents } from './recent-students.queries.js';
import { SessionDaysController } from './session-days.controller.js';
import { CountSessionDays } from './session-days.queries.js';
import { sessionSlots } from './session-slots.guard.js';
import { session } from './session.js';
import { sessions } from './sessions.projection.js';
import { CopyWeek } from './week-copy.commands.js';
import { WeekCopyController } from './week-copy.controller.js';
import { PreviewWeekCopy } from './week-copy.queries.js';

@Module({
  controllers: [
    SessionDaysController,
    RecentStudentsController,
    GroupsController,
    WeekCopyController,
    AgendaController,
    OwnSessionsController,
    PolicyPreviewController,
  ],
  providers: [
    BookSession.Handler,
    ChangeSession.Handler,
    CompleteSession.Handler,
    ReopenSession.Handler,
    CancelSession.Handler,
    DeleteSession.Handler,
    RestoreSession.Handler,
    BookGroup.Handler,
    AddMembers.Handler,
    CompleteGroup.Handler,
    ReopenGroup.Handler,
    UndoBookings.Handler,
    CopyWeek.Handler,
    ListSessions.Handler,
    GetSession.Handler,
    ListSessionsToCharge.Handler,
    PreviewCancellation.Handler,
    PreviewOwnCancellation.Handler,
    ShowDashboard.Handler,
    ListOwnSessionsHandler,
    CountSessionDays.Handler,
    ListRecentStudents.Handler,
    ListGroup.Handler,
    PreviewWeekCopy.Handler,
    PreviewPolicy.Handler,
  ],
})
export class AgendaModule {
  static readonly feature: Feature = {
    aggregates: [session],
    guards: [sessionSlots],
    projections: [sessions],
    history: agendaHistory,
    errors: agendaErrors,
  };
}
