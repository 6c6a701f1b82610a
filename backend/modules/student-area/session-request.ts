import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { KnownSession } from '../sessions/session.js';
import type { ChangeKind } from './student-area.api.js';
import { upcasters } from './upcasters.js';

/** A change that a student made without the trainer. */
export type DoneKind = ChangeKind | 'agendar';

/** The session, its student, and its start at the time of the request. */
interface About {
  session_id: string;
  student_id: string;
  inicio: string;
}

interface Times {
  inicio: string;
  fim: string;
}

/** The session after the student's change. If it has been changed since, the change cannot be undone. */
interface Left extends Times {
  location_id: string | null;
  grupo_id: string | null;
}

export type SessionRequestEvent =
  /**
   * The student requests a change that needs the trainer's consent. `novo_inicio`, `novo_fim`: null for a cancellation.
   * `no_prazo`: the request was made in time by the policy.
   */
  | {
      type: 'SessionChangeRequested';
      data: About & {
        pedido: ChangeKind;
        novo_inicio: string | null;
        novo_fim: string | null;
        motivo: string | null;
        no_prazo: boolean;
      };
    }
  | { type: 'SessionRequestWithdrawn'; data: About & { pedido: ChangeKind } }
  | { type: 'SessionRequestGranted'; data: About & { pedido: ChangeKind } }
  | { type: 'SessionRequestRefused'; data: About & { pedido: ChangeKind; mensagem: string | null } }
  /** The student made the change, in time by the policy; it can be undone for a short time. */
  | {
      type: 'SessionChangedByStudent';
      /** `inicio` and `fim`: the session's times before. `ficou` is null in older events without it. */
      data: About & { pedido: DoneKind; fim: string; em: string; ficou: Left | null };
    }
  | { type: 'SessionChangeUndone'; data: About & { pedido: DoneKind } };

interface OpenRequest extends About {
  pedido: ChangeKind;
  novo_inicio: string | null;
  novo_fim: string | null;
  no_prazo: boolean;
}

/** A student's last request about a session, and last own change of it; the stream's id is the session's. */
export interface SessionRequestState {
  /** The open request; null once it is answered or withdrawn. */
  aberto: OpenRequest | null;
  /** The last own change. `inicio` and `fim`: the session's times before. */
  feito: (Times & { student_id: string; pedido: DoneKind; em: string; ficou: Left | null }) | null;
}

/** The session's booking already refers to the student. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;
const ofStudent = (data: { student_id: string }) => data.student_id;

export const sessionRequest: Aggregate<SessionRequestState, SessionRequestEvent> = {
  name: 'session-request',
  initialState: { aberto: null, feito: null },
  evolve(state, { type, data }) {
    switch (type) {
      case 'SessionChangeRequested': {
        const { motivo: _, ...aberto } = data;
        return { ...state, aberto };
      }
      case 'SessionRequestWithdrawn':
      case 'SessionRequestGranted':
      case 'SessionRequestRefused':
        return { ...state, aberto: null };
      case 'SessionChangedByStudent': {
        const { inicio, fim, student_id, pedido, em, ficou } = data;
        return { aberto: null, feito: { inicio, fim, student_id, pedido, em, ficou } };
      }
      case 'SessionChangeUndone':
        return { ...state, feito: null };
    }
  },
  events: {
    SessionChangeRequested: {
      schemaVersion: 2,
      uses: 'nothing new',
      personal: { person: ofStudent, fields: ['motivo'] },
      upcasters: upcasters.SessionChangeRequested,
    },
    SessionRequestWithdrawn: again,
    SessionRequestGranted: again,
    SessionRequestRefused: { ...again, personal: { person: ofStudent, fields: ['mensagem'] } },
    SessionChangedByStudent: {
      schemaVersion: 2,
      uses: 'nothing new',
      upcasters: upcasters.SessionChangedByStudent,
    },
    SessionChangeUndone: again,
  },
};

const HOUR = 3_600_000;

/** Whether the student may still cancel or move the session alone: until exactly `hours` before it begins. */
export const isInTime = ({ inicio }: { inicio: string }, hours: number, now: Date): boolean =>
  Date.parse(inicio) - now.getTime() >= hours * HOUR;

/** 409 for a session that has begun, or is done or cancelled. */
export function refuseOver({ status, inicio }: KnownSession, now: Date): void {
  if (status !== 'agendada' || Date.parse(inicio) <= now.getTime()) throw new Problem('student_area.over');
}

/** The open request; null if the session has changed since. */
function openRequest(
  { aberto }: SessionRequestState,
  session: Pick<KnownSession, 'student_id' | 'inicio' | 'status' | 'deleted' | 'grupo_id'>,
): OpenRequest | null {
  const stands =
    aberto !== null &&
    aberto.inicio === session.inicio &&
    aberto.student_id === session.student_id &&
    session.status === 'agendada' &&
    !session.deleted &&
    // A shared hour is not moved at one student's request.
    (aberto.pedido === 'desmarcar' || session.grupo_id === null);
  return stands ? aberto : null;
}

export function decideRequest(
  state: SessionRequestState,
  session: KnownSession,
  wanted: { pedido: ChangeKind; novo: Times | null; motivo: string; no_prazo: boolean },
  now: Date,
): SessionRequestEvent[] {
  refuseOver(session, now);
  if (openRequest(state, session)) throw new Problem('student_area.already_asked');
  const { pedido, novo, motivo, no_prazo } = wanted;
  const asked = { novo_inicio: novo?.inicio ?? null, novo_fim: novo?.fim ?? null, motivo, no_prazo };
  return [{ type: 'SessionChangeRequested', data: { ...about(session), pedido, ...asked } }];
}

/** No event if there is no open request any more. */
export function decideWithdraw(state: SessionRequestState, session: KnownSession): SessionRequestEvent[] {
  const open = openRequest(state, session);
  return open ? [{ type: 'SessionRequestWithdrawn', data: { ...about(session), pedido: open.pedido } }] : [];
}

/** The request that the trainer answers; 404 if there is none, 409 once the session has begun. */
export function requestToAnswer(state: SessionRequestState, session: KnownSession, now: Date): OpenRequest {
  const open = openRequest(state, session);
  if (!open) throw new Problem('student_area.nothing_asked');
  refuseOver(session, now);
  return open;
}

/** `before` and `after`: the session before and after the student's change. */
export function decideDone(
  before: KnownSession,
  after: KnownSession,
  pedido: DoneKind,
  now: Date,
): SessionRequestEvent[] {
  const { inicio, fim, location_id, grupo_id } = after;
  const ficou = { inicio, fim, location_id, grupo_id };
  const data = { ...about(before), pedido, fim: before.fim, em: now.toISOString(), ficou };
  return [{ type: 'SessionChangedByStudent', data }];
}

/** Longer than a toast is shown, to allow for a slow network. */
const UNDO_MS = 2 * 60_000;

/** The student's last change of the session, while it can be undone; 409 afterwards. */
export function undoable(
  { feito }: SessionRequestState,
  session: KnownSession,
  now: Date,
): NonNullable<SessionRequestState['feito']> {
  const isRecent = feito !== null && now.getTime() - Date.parse(feito.em) <= UNDO_MS;
  const isAhead = feito !== null && Date.parse(feito.inicio) > now.getTime();
  if (!feito || !isRecent || !isAhead || !isAsLeft(feito, session))
    throw new Problem('student_area.cannot_undo');
  return feito;
}

/** Whether nobody has changed the session since. */
function isAsLeft(
  { ficou, pedido, student_id }: NonNullable<SessionRequestState['feito']>,
  session: KnownSession,
): boolean {
  const [status, motivo] = pedido === 'desmarcar' ? ['cancelada', 'aluno_no_prazo'] : ['agendada', null];
  return (
    ficou !== null &&
    session.student_id === student_id &&
    session.status === status &&
    session.motivo === motivo &&
    session.inicio === ficou.inicio &&
    session.fim === ficou.fim &&
    session.location_id === ficou.location_id &&
    session.grupo_id === ficou.grupo_id
  );
}

export function about({ session_id, student_id, inicio }: KnownSession): About {
  return { session_id, student_id, inicio };
}
