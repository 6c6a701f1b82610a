import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { CancelOwnSession, RequestChange, UndoOwnChange, WithdrawRequest } from './own-changes.commands.js';
import { BookOwnSession, MoveOwnSession, SetStudentBooking } from './booking.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import { sessionRequest } from './session-request.js';
import { studentAreaErrors } from './student-area.api.js';
import { OwnChangesController, SessionRequestsController } from './student-area.controller.js';
import { studentAreaHistory } from './student-area.history.js';
import { sessionRequests, studentBookings } from './student-area.projection.js';
import { ListSessionRequestsHandler } from './student-area.queries.js';
import { studentBookingErrors } from './student-booking.api.js';
import { OwnBookingController, StudentBookingController } from './student-booking.controller.js';
import { ShowOwnTimesHandler, ShowStudentBookingHandler } from './student-booking.queries.js';
import { studentBooking } from './student-booking.js';

/** What students do by themselves, and what they ask of the trainer. */
@Module({
  controllers: [
    OwnChangesController,
    OwnBookingController,
    SessionRequestsController,
    StudentBookingController,
  ],
  providers: [
    CancelOwnSession.Handler,
    UndoOwnChange.Handler,
    RequestChange.Handler,
    WithdrawRequest.Handler,
    GrantRequest.Handler,
    RefuseRequest.Handler,
    ListSessionRequestsHandler,
    BookOwnSession.Handler,
    MoveOwnSession.Handler,
    SetStudentBooking.Handler,
    ShowStudentBookingHandler,
    ShowOwnTimesHandler,
  ],
})
export class StudentAreaModule {
  static readonly feature: Feature = {
    aggregates: [sessionRequest, studentBooking],
    projections: [sessionRequests, studentBookings],
    history: studentAreaHistory,
    errors: { ...studentAreaErrors, ...studentBookingErrors },
  };
}
