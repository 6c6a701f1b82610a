import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { together, serve } from '../../platform/http/serve.js';
import {
  ShowPartnerName,
  CancelOwnSession,
  UndoOwnChange,
  RequestChange,
  WithdrawRequest,
} from './own-changes.commands.js';
import { SetStudentBooking, BookOwnSession, MoveOwnSession } from './booking.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import { partnerName } from './partner-name.js';
import { sessionRequest } from './session-request.js';
import { partnerNameApi, ownChangesApi, sessionRequestsApi, studentAreaErrors } from './student-area.api.js';
import { studentAreaHistory } from './student-area.history.js';
import { partnerNames, sessionRequests, studentBookings } from './student-area.projection.js';
import { ListSessionRequests } from './student-area.queries.js';
import { studentBookingApi, ownBookingApi, studentBookingErrors } from './student-booking.api.js';
import { ShowOwnTimes, ShowStudentBooking } from './student-booking.queries.js';
import { studentBooking } from './student-booking.js';

/** Students' own bookings and changes, and their requests to the trainer. */
@Module(
  together(
    serve(partnerNameApi, { set: ShowPartnerName }),
    serve(ownChangesApi, {
      cancel: CancelOwnSession,
      undo: UndoOwnChange,
      request: RequestChange,
      withdraw: WithdrawRequest,
    }),
    serve(sessionRequestsApi, { grant: GrantRequest, refuse: RefuseRequest, list: ListSessionRequests }),
    serve(studentBookingApi, { show: ShowStudentBooking, change: SetStudentBooking }),
    serve(ownBookingApi, { times: ShowOwnTimes, book: BookOwnSession, move: MoveOwnSession }),
  ),
)
export class StudentAreaModule {
  static readonly feature: Feature = {
    aggregates: [sessionRequest, studentBooking, partnerName],
    projections: [sessionRequests, studentBookings, partnerNames],
    history: studentAreaHistory,
    errors: { ...studentAreaErrors, ...studentBookingErrors },
  };
}
