import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { Agreed } from '../services/service.js';
import type { Reassigned } from '../students/reassigned.js';
import { type CancellationReason, type SessionStatus, wrongLength } from './sessions.api.js';
import { upcasters } from './upcasters.js';

/** Instants in UTC. */
export interface Period {
  inicio: string;
  fim: string;
}

/** A session's use of the student's credits: none, it holds one, or none was left to use. */
export type CreditUse = 'nenhum' | 'usado' | 'faltou';

/** What a session uses of the credits, and its value in cents (by the student's plan; null without one). */
export interface Settlement {
  credito: CreditUse;
  valor: number | null;
}

/** Session, student and time, which every event contains, so that it can be read without the others. */
interface About extends Period {
  session_id: string;
  student_id: string;
}

/** The series and the group of a session. */
export interface Belonging {
  serie_id: string | null;
  /** Local date that the session has in its series (RECURRENCE-ID): it stays when the session is moved. */
  ocorrencia: string | null;
  /** Sessions of one hour that several students share have the same one. */
  grupo_id: string | null;
}

/** What was agreed when it was booked on the public page with a price. Amounts are cents. */
export interface BookingTerms {
  /** The charge that was issued with the booking; null: nothing was asked before the class. */
  charge_id: string | null;
  preco: number;
  /** The part that is asked first, at most the price. */
  entrada: number;
  /** Hours before the start until which what was paid is given back. */
  limite_horas: number;
  /** Whole percents of the price that a later cancellation, and not coming, cost. */
  fora_percent: number;
  falta_percent: number;
  /** Minutes for which the time was held; null: until the trainer has confirmed it. */
  espera_min: number | null;
}

/** The event makes the session occupy its time; `permitir_conflito`: it may overlap other sessions. */
interface Occupies extends About {
  permitir_conflito: boolean;
}

export type SessionEvent =
  | {
      type: 'SessionBooked';
      data: Occupies &
        Belonging & {
          location_id: string | null;
          /** IANA zone in which the session was booked. */
          timezone: string;
          observacoes: string | null;
          confirmado: boolean;
          /** Earlier ones had none. */
          servico?: Agreed | null | undefined;
          /** Only of bookings with a price. */
          porta?: BookingTerms;
        };
    }
  /** The session joins a group. */
  | { type: 'SessionGrouped'; data: About & { grupo_id: string } }
  | {
      type: 'SessionRescheduled';
      /** `ocupa`: false for a cancelled session, which does not occupy its new time. */
      data: Occupies & { inicio_antes: string; fim_antes: string; ocupa: boolean };
    }
  | {
      type: 'SessionChanged';
      data: About & {
        location_id: string | null;
        observacoes: string | null;
        confirmado: boolean;
        antes: FormerDetails;
      } & Settlement;
    }
  | { type: 'SessionCompleted'; data: Occupies & Settlement & { de: SessionStatus } }
  | { type: 'SessionReopened'; data: Occupies & { de: SessionStatus; credito_devolvido: boolean } }
  | {
      type: 'SessionCancelled';
      data: About &
        Settlement & {
          de: SessionStatus;
          motivo: CancellationReason;
          /** The terms that were applied; null where none were. */
          politica: PolicyTerms | null;
          /** Cents; 0 if nothing is owed or the fee cannot be computed. */
          taxa: number;
          justificativa: string | null;
          /** Number of students that its class needed, and did not have at the time that was set. */
          sem_minimo?: number;
        };
    }
  | { type: 'SessionDeleted'; data: About & { de: SessionStatus; credito_devolvido: boolean } }
  | { type: 'SessionRestored'; data: Occupies & { para: SessionStatus; credito: CreditUse } }
  /** It repeats the details, because the last event that has them says whose the session is and where. */
  | {
      type: 'SessionReassigned';
      data: About & Reassigned & { location_id: string | null; confirmado: boolean };
    };

/** The former values of changed fields, without notes. */
export interface FormerDetails {
  student_id?: string;
  location_id?: string | null;
  observacoes?: true;
  confirmado?: boolean;
}

export interface KnownSession extends About, Belonging, Settlement {
  deleted: boolean;
  /** The zone in which it was booked. */
  timezone: string;
  location_id: string | null;
  observacoes: string | null;
  confirmado: boolean;
  status: SessionStatus;
  /** Null: what is booked without a service, which takes a credit. */
  servico: Agreed | null;
  /** Of a cancelled session. */
  motivo: CancellationReason | null;
  /** Cents owed for a cancellation. */
  taxa: number;
  /** Why its last cancellation was forgiven: kept when it is reopened, so that this can be undone. */
  justificativa: string | null;
  porta: BookingTerms | null;
}

/** Undefined until it is booked. A deleted session keeps its state, from which it can be restored. */
export type SessionState = KnownSession | undefined;

/** The fields of a session that change without moving it. */
export type SessionDetails = Partial<
  Pick<KnownSession, 'student_id' | 'location_id' | 'observacoes' | 'confirmado'>
>;

/** A session without series and group. */
export const single: Belonging = { serie_id: null, ocorrencia: null, grupo_id: null };

const uses = ({ student_id, location_id }: { student_id: string; location_id: string | null }) => ({
  student: student_id,
  location: location_id,
});
/** The student was declared as used when the session was booked or changed. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;

const ofStudent = (data: { student_id: string }) => data.student_id;

export const session: Aggregate<SessionState, SessionEvent> = {
  name: 'session',
  initialState: undefined,
  evolve,
  events: {
    SessionBooked: {
      schemaVersion: 2,
      personal: [
        { person: ofStudent, fields: ['observacoes'] },
        { person: (_data, tenantId) => tenantId, fields: ['servico.endereco'] },
      ],
      uses: (data) => ({ ...uses(data), service: data.servico?.service_id }),
      upcasters: upcasters.SessionBooked,
    },
    SessionGrouped: again,
    SessionRescheduled: again,
    SessionChanged: { schemaVersion: 1, personal: { person: ofStudent, fields: ['observacoes'] }, uses },
    SessionCompleted: again,
    SessionReopened: again,
    SessionCancelled: { ...again, personal: { person: ofStudent, fields: ['justificativa'] } },
    SessionDeleted: again,
    SessionRestored: again,
    SessionReassigned: { schemaVersion: 1, uses },
  },
};

/** Neither done nor cancelled: nothing is settled. */
const scheduled = { status: 'agendada', credito: 'nenhum', valor: null, motivo: null, taxa: 0 } as const;

function evolve(state: SessionState, { type, data }: SessionEvent): SessionState {
  if (type === 'SessionBooked') {
    const { permitir_conflito: _, porta = null, servico = null, ...fields } = data;
    return { ...fields, servico, porta, ...scheduled, justificativa: null, deleted: false };
  }
  if (!state) return undefined;
  switch (type) {
    case 'SessionGrouped':
      return { ...state, grupo_id: data.grupo_id };
    case 'SessionRescheduled':
      return { ...state, inicio: data.inicio, fim: data.fim };
    case 'SessionChanged': {
      const { student_id, location_id, observacoes, confirmado, credito, valor } = data;
      return { ...state, student_id, location_id, observacoes, confirmado, credito, valor };
    }
    case 'SessionCompleted':
      return { ...state, ...scheduled, status: 'feita', credito: data.credito, valor: data.valor };
    case 'SessionReopened':
      return { ...state, ...scheduled };
    case 'SessionCancelled': {
      const { credito, valor, motivo, taxa, justificativa } = data;
      return { ...state, status: 'cancelada', credito, valor, motivo, taxa, justificativa };
    }
    case 'SessionDeleted':
      return { ...state, deleted: true };
    case 'SessionRestored':
      return { ...state, deleted: false, credito: data.credito };
    case 'SessionReassigned':
      return { ...state, student_id: data.student_id };
  }
}

/** The session; 404 if it does not exist or was deleted. */
export function existingSession(state: SessionState): KnownSession {
  if (!state || state.deleted) throw new Problem('agenda.session_not_found');
  return state;
}

/** The session of the student who asks; 404 for a session of another student. */
export function ownSession(state: SessionState, { studentId }: { studentId: string | null }): KnownSession {
  const known = existingSession(state);
  if (known.student_id !== studentId) throw new Problem('agenda.session_not_found');
  return known;
}

/** Whether money is owed for it: it should have used a credit, or was cancelled with a fee. */
export function isOwed(state: SessionState): boolean {
  return state !== undefined && !state.deleted && (state.credito === 'faltou' || state.taxa > 0);
}

/** Whether it occupies its time; deleted and cancelled sessions do not. */
export function occupies(state: SessionState): boolean {
  return state !== undefined && !state.deleted && state.status !== 'cancelada';
}

export function decideBook(
  booking: Omit<Extract<SessionEvent, { type: 'SessionBooked' }>['data'], 'confirmado'>,
  confirmado = true,
): SessionEvent[] {
  refuseBadPeriod(booking);
  return [{ type: 'SessionBooked', data: { ...booking, confirmado } }];
}

/** No event if it is already in that group. */
export function decideGroup(state: KnownSession, grupo_id: string): SessionEvent[] {
  if (state.grupo_id === grupo_id) return [];
  return [{ type: 'SessionGrouped', data: { ...about(state), grupo_id } }];
}

export function decideReschedule(
  state: KnownSession,
  to: Period,
  permitir_conflito: boolean,
): SessionEvent[] {
  if (to.inicio === state.inicio && to.fim === state.fim) return [];
  refuseBadPeriod(to);
  const data = {
    ...about(state),
    inicio: to.inicio,
    fim: to.fim,
    inicio_antes: state.inicio,
    fim_antes: state.fim,
    ocupa: occupies(state),
    permitir_conflito,
  };
  return [{ type: 'SessionRescheduled', data }];
}

/** The former values of the details that would change. */
function differences(state: KnownSession, wished: SessionDetails): FormerDetails {
  const { student_id, location_id, observacoes, confirmado } = { ...state, ...wished };
  return {
    ...(student_id !== state.student_id && { student_id: state.student_id }),
    ...(location_id !== state.location_id && { location_id: state.location_id }),
    ...(observacoes !== state.observacoes && { observacoes: true as const }),
    ...(confirmado !== state.confirmado && { confirmado: state.confirmado }),
  };
}

/** `settlement`: the session's use of the (new) student's credits after the change. */
export function decideChange(
  state: KnownSession,
  wished: SessionDetails,
  settlement: Settlement,
): SessionEvent[] {
  const antes = differences(state, wished);
  if (Object.keys(antes).length === 0) return [];
  const { session_id, student_id, inicio, fim, location_id, observacoes, confirmado } = {
    ...state,
    ...wished,
  };
  const about = { session_id, student_id, inicio, fim };
  return [
    {
      type: 'SessionChanged',
      data: { ...about, location_id, observacoes, confirmado, ...settlement, antes },
    },
  ];
}

/** When something is decided, and by which zone its day is known. */
export interface Today {
  now: Date;
  timezone: string;
}

/** A session of a day to come has not been held; one of today may be done at any hour. */
export function refuseAhead({ inicio }: Period, { now, timezone }: Today): void {
  if (dateOf(inicio, timezone) > dateOf(now, timezone)) throw new Problem('agenda.day_ahead');
}

export function decideComplete(
  state: KnownSession,
  done: Settlement & { permitir_conflito: boolean },
  today: Today,
): SessionEvent[] {
  if (state.status === 'feita') throw new Problem('agenda.already_done');
  refuseAhead(state, today);
  return [{ type: 'SessionCompleted', data: { ...about(state), de: state.status, ...done } }];
}

export function decideReopen(state: KnownSession, permitir_conflito: boolean): SessionEvent[] {
  if (state.status === 'agendada') throw new Problem('agenda.already_scheduled');
  const credito_devolvido = state.credito === 'usado';
  const data = { ...about(state), de: state.status, credito_devolvido, permitir_conflito };
  return [{ type: 'SessionReopened', data }];
}

/** `applied`: the policy's terms and their cost; null if the trainer waives them or is the one who cancels. */
export function decideCancel(
  state: KnownSession,
  {
    motivo,
    justificativa,
    sem_minimo,
    applied,
    credito,
    valor,
  }: Settlement & {
    motivo: CancellationReason;
    justificativa: string | null;
    sem_minimo?: number | undefined;
    applied: { terms: PolicyTerms; effect: { taxa: number | null } } | null;
  },
): SessionEvent[] {
  if (state.status === 'cancelada') throw new Problem('agenda.already_cancelled');
  const data = {
    ...about(state),
    de: state.status,
    motivo,
    politica: applied?.terms ?? null,
    credito,
    valor,
    taxa: applied?.effect.taxa ?? 0,
    justificativa,
    ...(sem_minimo !== undefined && { sem_minimo }),
  };
  return [{ type: 'SessionCancelled', data }];
}

export function decideDelete(state: KnownSession): SessionEvent[] {
  const credito_devolvido = state.credito === 'usado';
  return [{ type: 'SessionDeleted', data: { ...about(state), de: state.status, credito_devolvido } }];
}

/** The deleted session to be restored; 404 if it does not exist, 409 if it is not deleted. */
export function deletedSession(state: SessionState): KnownSession {
  if (!state) throw new Problem('agenda.session_not_found');
  if (!state.deleted) throw new Problem('agenda.not_deleted');
  return state;
}

export function decideRestore(
  state: KnownSession,
  credito: CreditUse,
  permitir_conflito: boolean,
  today: Today,
): SessionEvent[] {
  if (state.status === 'feita') refuseAhead(state, today);
  const data = { ...about(state), para: state.status, credito, permitir_conflito };
  return [{ type: 'SessionRestored', data }];
}

const MINUTE = 60_000;

export function refuseBadPeriod({ inicio, fim }: Period): void {
  const detail = wrongLength((Date.parse(fim) - Date.parse(inicio)) / MINUTE);
  if (detail) throw new Problem('agenda.invalid_period', { detail, errors: [{ pointer: '/fim', detail }] });
}

function about({ session_id, student_id, inicio, fim }: KnownSession): About {
  return { session_id, student_id, inicio, fim };
}
