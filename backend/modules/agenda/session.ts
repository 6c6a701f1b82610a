import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { CancellationReason, SessionStatus } from './agenda.api.js';
import type { CancellationEffect } from './cancellation.js';

/** Instants in UTC. */
export interface Period {
  inicio: string;
  fim: string;
}

/** What a session did to the student's credits: nothing, it holds one, or there was none left to use. */
export type CreditUse = 'nenhum' | 'usado' | 'faltou';

/** Whose session it is and when: every event says it, so that each can be read alone. */
interface About extends Period {
  student_id: string;
}

/** The event makes the session occupy its time; `permitir_conflito` lets it overlap what occupies it already. */
interface Occupies extends About {
  permitir_conflito: boolean;
}

export type SessionBooked = {
  type: 'SessionBooked';
  data: Occupies & {
    location_id: string | null;
    /** IANA zone in which the session was booked. */
    zona: string;
    observacoes: string | null;
    confirmado: boolean;
  };
};
export type SessionRescheduled = {
  type: 'SessionRescheduled';
  /** `ocupa`: false for a cancelled session, which is moved without taking up its new time. */
  data: Occupies & { inicio_antes: string; fim_antes: string; ocupa: boolean };
};
export type SessionChanged = {
  type: 'SessionChanged';
  data: About & {
    location_id: string | null;
    observacoes: string | null;
    confirmado: boolean;
    credito: CreditUse;
    /** Cents. */
    valor: number | null;
    /** What changed, with what it was before; former notes are not repeated. */
    antes: { student_id?: string; location_id?: string | null; observacoes?: true; confirmado?: boolean };
  };
};
export type SessionCompleted = {
  type: 'SessionCompleted';
  /** `valor`: cents that one credit of the student's plan is worth; null without a plan. */
  data: Occupies & { credito: CreditUse; valor: number | null };
};
export type SessionReopened = {
  type: 'SessionReopened';
  data: Occupies & { de: SessionStatus; credito_devolvido: boolean };
};
export type SessionCancelled = {
  type: 'SessionCancelled';
  data: About & {
    de: SessionStatus;
    motivo: CancellationReason;
    /** The terms that were applied; null where the trainer did not apply any. */
    politica: PolicyTerms | null;
    credito: CreditUse;
    /** Cents; both null or 0 where they are unknown or nothing is owed. */
    valor: number | null;
    taxa: number;
    justificativa: string | null;
  };
};
export type SessionDeleted = {
  type: 'SessionDeleted';
  data: About & { de: SessionStatus; credito_devolvido: boolean };
};
export type SessionRestored = {
  type: 'SessionRestored';
  data: Occupies & { para: SessionStatus; credito: CreditUse };
};

export type SessionEvent =
  | SessionBooked
  | SessionRescheduled
  | SessionChanged
  | SessionCompleted
  | SessionReopened
  | SessionCancelled
  | SessionDeleted
  | SessionRestored;

export interface KnownSession extends About {
  deleted: boolean;
  location_id: string | null;
  observacoes: string | null;
  confirmado: boolean;
  status: SessionStatus;
  /** Of a deleted session: what it had before, which restoring asks for again. */
  credito: CreditUse;
}

/** Undefined until it is booked. */
export type SessionState = KnownSession | undefined;

/** The fields of a session that change without moving it. */
export type SessionDetails = Partial<
  Pick<KnownSession, 'student_id' | 'location_id' | 'observacoes' | 'confirmado'>
>;

const ofStudent = (data: { student_id: string }) => data.student_id;

export const session: Aggregate<SessionState, SessionEvent> = {
  name: 'session',
  initialState: undefined,
  evolve,
  events: {
    SessionBooked: { schemaVersion: 1, personal: { person: ofStudent, fields: ['observacoes'] } },
    SessionRescheduled: { schemaVersion: 1 },
    SessionChanged: { schemaVersion: 1, personal: { person: ofStudent, fields: ['observacoes'] } },
    SessionCompleted: { schemaVersion: 1 },
    SessionReopened: { schemaVersion: 1 },
    SessionCancelled: { schemaVersion: 1, personal: { person: ofStudent, fields: ['justificativa'] } },
    SessionDeleted: { schemaVersion: 1 },
    SessionRestored: { schemaVersion: 1 },
  },
};

function evolve(state: SessionState, { type, data }: SessionEvent): SessionState {
  if (type === 'SessionBooked') {
    const { student_id, inicio, fim, location_id, observacoes, confirmado } = data;
    const fields = { student_id, inicio, fim, location_id, observacoes, confirmado };
    return { ...fields, deleted: false, status: 'agendada', credito: 'nenhum' };
  }
  if (!state) return undefined;
  switch (type) {
    case 'SessionRescheduled':
      return { ...state, inicio: data.inicio, fim: data.fim };
    case 'SessionChanged': {
      const { student_id, location_id, observacoes, confirmado, credito } = data;
      return { ...state, student_id, location_id, observacoes, confirmado, credito };
    }
    case 'SessionCompleted':
      return { ...state, status: 'feita', credito: data.credito };
    case 'SessionReopened':
      return { ...state, status: 'agendada', credito: 'nenhum' };
    case 'SessionCancelled':
      return { ...state, status: 'cancelada', credito: data.credito };
    case 'SessionDeleted':
      return { ...state, deleted: true };
    case 'SessionRestored':
      return { ...state, deleted: false, credito: data.credito };
  }
}

/** The session, or 404 for one that never was or was deleted. */
export function existing(state: SessionState): KnownSession {
  if (!state || state.deleted) throw new Problem('agenda.session_not_found');
  return state;
}

/** Whether it takes up its time: what is deleted or cancelled does not. */
export function occupies(state: SessionState): boolean {
  return state !== undefined && !state.deleted && state.status !== 'cancelada';
}

export function book(
  booking: Period & {
    student_id: string;
    location_id: string | null;
    observacoes: string | null;
    permitir_conflito: boolean;
    zona: string;
  },
): SessionEvent[] {
  refuseBadPeriod(booking);
  return [{ type: 'SessionBooked', data: { ...booking, confirmado: true } }];
}

export function reschedule(state: KnownSession, to: Period, permitir_conflito: boolean): SessionEvent[] {
  if (to.inicio === state.inicio && to.fim === state.fim) return [];
  refuseBadPeriod(to);
  const data = {
    student_id: state.student_id,
    inicio: to.inicio,
    fim: to.fim,
    inicio_antes: state.inicio,
    fim_antes: state.fim,
    ocupa: occupies(state),
    permitir_conflito,
  };
  return [{ type: 'SessionRescheduled', data }];
}

/** Which of the wished details differ from what the session has, with what they were. */
export function differences(state: KnownSession, wished: SessionDetails): SessionChanged['data']['antes'] {
  const { student_id, location_id, observacoes, confirmado } = { ...state, ...wished };
  return {
    ...(student_id !== state.student_id && { student_id: state.student_id }),
    ...(location_id !== state.location_id && { location_id: state.location_id }),
    ...(observacoes !== state.observacoes && { observacoes: true as const }),
    ...(confirmado !== state.confirmado && { confirmado: state.confirmado }),
  };
}

/** `credit` is what the session has of the (new) student's credits after the change. */
export function change(
  state: KnownSession,
  wished: SessionDetails,
  credit: { credito: CreditUse; valor: number | null },
): SessionEvent[] {
  const antes = differences(state, wished);
  if (Object.keys(antes).length === 0) return [];
  const { student_id, inicio, fim, location_id, observacoes, confirmado } = { ...state, ...wished };
  const data = { student_id, inicio, fim, location_id, observacoes, confirmado, ...credit, antes };
  return [{ type: 'SessionChanged', data }];
}

export function complete(
  state: KnownSession,
  done: { credito: CreditUse; valor: number | null; permitir_conflito: boolean },
): SessionEvent[] {
  if (state.status === 'feita') throw new Problem('agenda.already_done');
  return [{ type: 'SessionCompleted', data: { ...about(state), ...done } }];
}

export function reopen(state: KnownSession, permitir_conflito: boolean): SessionEvent[] {
  if (state.status === 'agendada') throw new Problem('agenda.already_scheduled');
  const credito_devolvido = state.credito === 'usado';
  const data = { ...about(state), de: state.status, credito_devolvido, permitir_conflito };
  return [{ type: 'SessionReopened', data }];
}

/** `applied`: the policy's terms and what they cost, or null where the trainer forgives or is the one who cancels. */
export function cancel(
  state: KnownSession,
  {
    motivo,
    justificativa,
    applied,
    credito,
    valor,
  }: {
    motivo: CancellationReason;
    justificativa: string | null;
    applied: { terms: PolicyTerms; effect: CancellationEffect } | null;
    credito: CreditUse;
    valor: number | null;
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
  };
  return [{ type: 'SessionCancelled', data }];
}

export function remove(state: KnownSession): SessionEvent[] {
  const credito_devolvido = state.credito === 'usado';
  return [{ type: 'SessionDeleted', data: { ...about(state), de: state.status, credito_devolvido } }];
}

/** The deleted session that can come back; 404 for one that never was, 409 for one that is still there. */
export function deleted(state: SessionState): KnownSession {
  if (!state) throw new Problem('agenda.session_not_found');
  if (!state.deleted) throw new Problem('agenda.not_deleted');
  return state;
}

export function restore(state: KnownSession, credito: CreditUse, permitir_conflito: boolean): SessionEvent[] {
  const data = { ...about(state), para: state.status, credito, permitir_conflito };
  return [{ type: 'SessionRestored', data }];
}

const MINUTE = 60_000;

/** A session ends after it starts and lasts 15 minutes to 6 hours. */
function refuseBadPeriod({ inicio, fim }: Period): void {
  const minutes = (Date.parse(fim) - Date.parse(inicio)) / MINUTE;
  const detail =
    minutes <= 0
      ? 'O fim deve ser depois do início.'
      : minutes < 15
        ? 'A sessão deve durar pelo menos 15 minutos.'
        : minutes > 6 * 60
          ? 'A sessão deve durar no máximo 6 horas.'
          : undefined;
  if (detail) throw new Problem('agenda.invalid_period', { detail, errors: [{ pointer: '/fim', detail }] });
}

function about({ student_id, inicio, fim }: KnownSession): About {
  return { student_id, inicio, fim };
}
