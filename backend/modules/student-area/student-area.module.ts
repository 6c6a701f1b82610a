import { Module, Body, Controller, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { Feature } from '../../platform/features.js';
import { together, serve, Serves } from '../../platform/http/serve.js';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { findReminder } from '../reminders/confirmations.queries.js';
import { confirmationsApi, type ConfirmationBody, ownConfirmationsApi } from '../reminders/reminders.api.js';
import {
  ConfirmPresence,
  ShowPartnerName,
  CancelOwnSession,
  ConfirmOwnSession,
  UndoOwnChange,
  RequestChange,
  WithdrawRequest,
} from './own-changes.commands.js';
import { SetStudentBooking, BookOwnSession, MoveOwnSession } from './booking.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import { ownSessionsApi } from './own-sessions.api.js';
import { ListOwnSessions } from './own-sessions.queries.js';
import { partnerName } from './partner-name.js';
import { sessionRequest } from './session-request.js';
import { partnerNameApi, ownChangesApi, sessionRequestsApi, studentAreaErrors } from './student-area.api.js';
import { studentAreaHistory } from './student-area.history.js';
import { partnerNames, sessionRequests, studentBookings } from './student-area.projection.js';
import { ListSessionRequests } from './student-area.queries.js';
import { studentBookingApi, ownBookingApi, studentBookingErrors } from './student-booking.api.js';
import { ShowOwnTimes, ShowStudentBooking } from './student-booking.queries.js';
import { studentBooking } from './student-booking.js';

/** What the page of a reminder's link writes. */
@Controller()
class ConfirmationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly database: Database,
  ) {}

  /** The token is sent in the body, because paths are stored beside the Idempotency-Key. */
  @Serves(confirmationsApi.confirm)
  async confirm(@Body() { token }: ConfirmationBody, @Req() request: FastifyRequest) {
    const link = await findReminder(this.database, token);
    const { reminderId, sessionId } = link;
    return this.commands.execute(new ConfirmPresence(contextOfLink(link, request), reminderId, sessionId));
  }
}

/**
 * Students' own bookings and changes, and their requests to the trainer.
 *
 * The student's area (`student-area`, and the `own-*` files in `agenda`, `credits`, `charges` and `receipts`) is what students
 * do themselves. The policy of the location at the time of booking applies to every cancellation (`session-terms.loads.ts`). Within
 * its notice a student cancels directly. Later it is a request, in a stream with the session's id (`session-request`), which the
 * trainer accepts or rejects while the session remains; if the session has changed since, the request is void. The cost is that
 * of the time of the request (`no_prazo`). A student can undo an action for two minutes, unless the session was changed since or
 * its former time is held for the waitlist. Students book and move to the free times that visitors see (`public.slots.ts`), with
 * settings of their own (`student-booking`), at public locations or where they train. Where the trainer requires credits, one
 * must be valid at the start of the session and not needed by another session. Their writes are limited per person
 * (`STUDENT_WRITES`).
 *
 * A student without an account sees the same page by a link (`/minha-area/{token}`, `area-links` in `accounts`), which the
 * trainer creates and ends, and which expires after 90 days. The token is sent in the header `Rende-Link` and gives access, as
 * that student, to the routes marked `byLink`: reading, confirming, "Já paguei" and requests; contracts are signed on their own
 * pages, whose links it shows only to who types the code that was mailed to the student. Creating an account ends the link.
 * These pages have no socket: every half minute, while visible, they ask for the log position (`student/area`) and read again
 * where it has changed.
 *
 * Students who share an hour see each other's first name if both agreed (`partner-name`). No other answer to a student contains
 * data of another student or the trainer's notes; a test checks all such answers.
 */
@Module(
  together(
    serve(ownSessionsApi, { list: ListOwnSessions }),
    serve(ownConfirmationsApi, { confirm: ConfirmOwnSession }),
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
    { controllers: [ConfirmationsController], providers: [ConfirmPresence.Handler] },
  ),
)
export class StudentAreaModule {
  static readonly feature: Feature = {
    aggregates: [sessionRequest, studentBooking, partnerName],
    projections: [sessionRequests, studentBookings, partnerNames],
    history: studentAreaHistory,
    ownData: {
      trainer: {
        'agendamento-de-alunos': `select ativo, dias, duracao_min, intervalo_min, antecedencia_min, abertas, exige_credito from student_booking`,
        'nomes-em-horarios-divididos': `select id as student_id, mostra from partner_names order by id`,
      },
      sheets: {
        'pedidos-de-alunos': `select r.id as session_id, r.student_id, a.nome as aluno, r.inicio, r.pedido, r.novo_inicio, r.novo_fim, r.motivo,
        r.situacao, r.mensagem, r.pedido_em
      from session_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.pedido_em, r.id`,
      },
      student: {
        pedidos: `select id as session_id, inicio, pedido, novo_inicio, novo_fim, motivo, situacao, mensagem, pedido_em
      from session_requests where student_id = $1 order by pedido_em, id`,
        'nome-em-horarios-divididos': `select mostra from partner_names where id = $1`,
      },
    },
    errors: { ...studentAreaErrors, ...studentBookingErrors },
  };
}
