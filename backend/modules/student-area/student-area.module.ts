import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import {
  CancelOwnSession,
  RequestCancellation,
  UndoOwnChange,
  WithdrawRequest,
} from './own-changes.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import { sessionRequest } from './session-request.js';
import { studentAreaErrors } from './student-area.api.js';
import { OwnChangesController, SessionRequestsController } from './student-area.controller.js';
import { studentAreaHistory } from './student-area.history.js';
import { sessionRequests } from './student-area.projection.js';
import { ListSessionRequestsHandler } from './student-area.queries.js';

/** What students do by themselves, and what they ask of the trainer. */
@Module({
  controllers: [OwnChangesController, SessionRequestsController],
  providers: [
    CancelOwnSession.Handler,
    UndoOwnChange.Handler,
    RequestCancellation.Handler,
    WithdrawRequest.Handler,
    GrantRequest.Handler,
    RefuseRequest.Handler,
    ListSessionRequestsHandler,
  ],
})
export class StudentAreaModule {
  static readonly feature: Feature = {
    aggregates: [sessionRequest],
    projections: [sessionRequests],
    history: studentAreaHistory,
    errors: studentAreaErrors,
  };
}
