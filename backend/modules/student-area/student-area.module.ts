import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import {
  CancelOwnSession,
  RequestChange,
  ShowPartnerName,
  UndoOwnChange,
  WithdrawRequest,
} from './own-changes.commands.js';
import { BookOwnSession, MoveOwnSession, SetStudentBooking } from './booking.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import { partnerName } from './partner-name.js';
import { sessionRequest } from './session-request.js';
import { studentAreaErrors } from './student-area.api.js';
import {
  OwnChangesController,
  PartnerNameController,
  SessionRequestsController,
} from './student-area.controller.js';
import { studentAreaHistory } from './student-area.history.js';
import { partnerNames, sessionRequests, studentBookings } from './student-area.projection.js';
import { ListSessionRequests } from './student-area.queries.js';
import { studentBookingErrors } from './student-booking.api.js';
import { OwnBookingController, StudentBookingController } from './student-booking.controller.js';
import { ShowOwnTimes, ShowStudentBooking } from './student-booking.queries.js';
import { studentBooking } from './student-booking.js';

/** Students' own bookings and changes, and their requests to the trainer. */
@Module({
  controllers: [
    OwnChangesController,
    OwnBookingController,
    PartnerNameController,
    SessionRequestsController,
    StudentBookingController,
  ],
  providers: [
    CancelOwnSession.Handler,
    UndoOwnChange.Handler,
    RequestChange.Handler,
    WithdrawRequest.Handler,
    ShowPartnerName.Handler,
    GrantRequest.Handler,
    RefuseRequest.Handler,
    ListSessionRequests.Handler,
    BookOwnSession.Handler,
    MoveOwnSession.Handler,
    SetStudentBooking.Handler,
    ShowStudentBooking.Handler,
    ShowOwnTimes.Handler,
  ],
})
export class StudentAreaModule {
  static readonly feature: Feature = {
    aggregates: [sessionRequest, studentBooking, partnerName],
    projections: [sessionRequests, studentBookings, partnerNames],
    history: studentAreaHistory,
    errors: { ...studentAreaErrors, ...studentBookingErrors },
  };
}
