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
import { AwaitSeat, BookSeat, LeaveSeatQueue } from './seats.commands.js';
import { ownSessionsApi } from './own-sessions.api.js';
import { ListOwnSessions } from './own-sessions.queries.js';
import { partnerName, type PartnerNameSet } from './partner-name.js';
import {
  sessionRequest,
  type SessionRequestEvent,
  about,
  isInTime,
  requestToAnswer,
} from './session-request.js';
import {
  partnerNameApi,
  ownChangesApi,
  sessionRequestsApi,
  studentAreaErrors,
  type ChangeKind,
  type RequestRefusal,
  type RequestGrant,
} from './student-area.api.js';
import { ListSessionRequests } from './student-area.queries.js';
import { studentBookingApi, ownBookingApi, studentBookingErrors } from './student-booking.api.js';
import { ShowOwnTimes, ShowStudentBooking } from './student-booking.queries.js';
import { studentBooking, type StudentBookingSet } from './student-booking.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime } from '../../platform/portuguese.js';
import { rowProjection, stateProjection } from '../../platform/projections/projection.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { freshLink } from '../charges/charges.commands.js';
import { cancel, loadSession, moveBack } from '../agenda/agenda.commands.js';
import { loadTerms } from '../agenda/session.loads.js';

/** The trainer grants a request, with the policy's cost or without. */
const GrantRequest = defineCommand(
  'GrantRequest',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, { perdoar, previsto }: RequestGrant) => {
    const link = freshLink(tokens);
    const [state, request] = await Promise.all([loadSession(tx, id), tx.load(sessionRequest, id)]);
    const { pedido, novo_inicio, novo_fim, no_prazo } = requestToAnswer(request, state, tx.now);
    if (novo_inicio !== null && novo_fim !== null) {
      if (Date.parse(novo_inicio) <= tx.now.getTime()) throw new Problem('student_area.over');
      tx.append(sessionRequest, id, [{ type: 'SessionRequestGranted', data: { ...about(state), pedido } }]);
      const { status } = await moveBack(tx, state, { inicio: novo_inicio, fim: novo_fim });
      return { id, status };
    }
    const { cancel_limite_horas: hours } = await loadTerms(tx, state);
    const isLate = !isInTime(state, hours, tx.now);
    // A request made in time costs what the student saw then, even if the answer comes too late.
    const isExcused = isLate && no_prazo;
    tx.append(sessionRequest, id, [{ type: 'SessionRequestGranted', data: { ...about(state), pedido } }]);
    const cancellation = {
      motivo: isLate && !isExcused ? 'aluno_fora_do_prazo' : 'aluno_no_prazo',
      aplicar_politica: !perdoar && !isExcused,
      ...(previsto && { previsto }),
    } as const;
    const { status } = await cancel(tx, state, cancellation, link);
    return { id, status };
  },
);

/** The trainer refuses a request; the session stays as it is. */
const RefuseRequest = defineCommand('RefuseRequest', async (tx, id: string, { mensagem }: RequestRefusal) => {
  const [state, request] = await Promise.all([loadSession(tx, id), tx.load(sessionRequest, id)]);
  const { pedido } = requestToAnswer(request, state, tx.now);
  tx.append(sessionRequest, id, [
    { type: 'SessionRequestRefused', data: { ...about(state), pedido, mensagem } },
  ]);
  return { id, status: state.status };
});

/** Without a student's own changes, which the session's events contain. */
type RequestEvent = Exclude<SessionRequestEvent, { type: 'SessionChangedByStudent' | 'SessionChangeUndone' }>;

interface RequestRow {
  student_id: string;
  inicio: string;
  pedido: string;
  novo_inicio: string | null;
  novo_fim: string | null;
  motivo: string | null;
  situacao: 'aberto' | 'retirado' | 'aceito' | 'recusado';
  mensagem: string | null;
  pedido_em: string;
  no_prazo: boolean;
}

/** The last request about each session, under the session's id. */
const sessionRequests = rowProjection<RequestRow, RequestEvent>({
  name: 'session-requests',
  version: 2,
  topic: 'session-requests',
  table: 'session_requests',
  events: [
    'SessionChangeRequested',
    'SessionRequestWithdrawn',
    'SessionRequestGranted',
    'SessionRequestRefused',
  ],
  students: ({ student_id }) => [student_id as string],
  keys: ({ data }) => [data.session_id],
  evolve(row, { type, data, recordedAt }) {
    if (type === 'SessionChangeRequested') {
      const { session_id: _, ...asked } = data;
      return { ...asked, situacao: 'aberto', mensagem: null, pedido_em: recordedAt.toISOString() };
    }
    if (!row) return null;
    switch (type) {
      case 'SessionRequestWithdrawn':
        return { ...row, situacao: 'retirado' };
      case 'SessionRequestGranted':
        return { ...row, situacao: 'aceito' };
      case 'SessionRequestRefused':
        return { ...row, situacao: 'recusado', mensagem: data.mensagem };
    }
  },
});

/** A tenant's settings, under the tenant's id; no row before the first save. */
const studentBookings = stateProjection(studentBooking, {
  name: 'student-booking',
  topic: 'student-booking',
  table: 'student_booking',
  students: 'all',
});

/** Each student's choice, under the student's id. */
const partnerNames = stateProjection(partnerName, {
  name: 'partner-names',
  topic: 'own-sessions',
  table: 'partner_names',
  students: ({ student_id }) => [student_id as string],
});

type Data = { session_id: string; student_id: string; inicio: string; pedido: ChangeKind };

const subjects = ({ session_id, student_id }: Data) => [`session:${session_id}`, `student:${student_id}`];
/** `remarcar a sessão de qui., 26 de nov. de 2026, 7:00`; without its time in its own history. */
const what = ({ pedido, session_id, inicio }: Data, zone: string, of: string | undefined) =>
  `${pedido} a sessão${of === `session:${session_id}` ? '' : ` de ${dayAndTime(inicio, zone)}`}`;

const studentAreaHistory: HistoryWords<SessionRequestEvent | StudentBookingSet | PartnerNameSet> = {
  SessionChangeRequested: {
    subjects,
    words: (data, zone, of) =>
      [
        `O aluno pediu para ${what(data, zone, of)}`,
        data.novo_inicio && ` para ${dayAndTime(data.novo_inicio, zone)}`,
        data.motivo && `: ${data.motivo}`,
      ]
        .filter(Boolean)
        .join(''),
  },
  SessionRequestWithdrawn: {
    subjects,
    words: (data, zone, of) => `O aluno cancelou o pedido para ${what(data, zone, of)}`,
  },
  SessionRequestGranted: {
    subjects,
    words: (data, zone, of) => `Aceitou o pedido para ${what(data, zone, of)}`,
  },
  SessionRequestRefused: {
    subjects,
    words: (data, zone, of) =>
      `Recusou o pedido para ${what(data, zone, of)}${data.mensagem === null ? '' : `: ${data.mensagem}`}`,
  },
  // No subjects: the history shows the session's own event, with who caused it.
  SessionChangedByStudent: { subjects: () => [], words: () => 'O aluno mudou a sessão' },
  SessionChangeUndone: { subjects: () => [], words: () => 'O aluno desfez a mudança' },
  PartnerNameSet: {
    subjects: ({ student_id }) => [`student:${student_id}`],
    words: ({ mostra }) =>
      mostra
        ? 'O aluno passou a mostrar o primeiro nome a quem divide o horário'
        : 'O aluno deixou de mostrar o primeiro nome a quem divide o horário',
  },
  StudentBookingSet: {
    subjects: (_data, tenantId) => [`availability:${tenantId}`],
    words: ({ ativo }) => (ativo ? 'Definiu como os alunos agendam' : 'Fechou a agenda para os alunos'),
  },
};

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
    serve(ownBookingApi, {
      times: ShowOwnTimes,
      book: BookOwnSession,
      move: MoveOwnSession,
      seat: BookSeat,
      wait: AwaitSeat,
      leave: LeaveSeatQueue,
    }),
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
