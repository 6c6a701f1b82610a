import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { Problem } from '../../platform/http/problem.js';
import {
  decideBook,
  decideCancel,
  decideChange,
  decideComplete,
  decideDelete,
  decideReopen,
  decideReschedule,
  decideRestore,
  deletedSession,
  existingSession,
  occupies,
  session,
  type KnownSession,
  type SessionEvent,
  single,
} from './session.js';

const ana = 'a0000000-0000-4000-8000-000000000001';
const bia = 'b0000000-0000-4000-8000-000000000002';
const seven = '2026-11-26T10:00:00.000Z';
const eight = '2026-11-26T11:00:00.000Z';
const nine = '2026-11-26T12:00:00.000Z';
const about = {
  session_id: 'e0000000-0000-4000-8000-000000000009',
  student_id: ana,
  inicio: seven,
  fim: eight,
};

/** The first moment of the day of the session in São Paulo. */
const today = { now: new Date('2026-11-26T03:00:00.000Z'), timezone: 'America/Sao_Paulo' };

const booking = {
  ...about,
  location_id: null,
  observacoes: 'Joelho esquerdo',
  permitir_conflito: false,
  timezone: 'America/Sao_Paulo',
  ...single,
};
const booked: SessionEvent = { type: 'SessionBooked', data: { ...booking, confirmado: true } };
const completed: SessionEvent = {
  type: 'SessionCompleted',
  data: { ...about, de: 'agendada', credito: 'usado', valor: 8000, permitir_conflito: false },
};
const cancelled: SessionEvent = {
  type: 'SessionCancelled',
  data: {
    ...about,
    de: 'agendada',
    motivo: 'aluno_fora_do_prazo',
    politica: { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true },
    credito: 'usado',
    valor: 8000,
    taxa: 4000,
    justificativa: null,
  },
};
const removed: SessionEvent = {
  type: 'SessionDeleted',
  data: { ...about, de: 'feita', credito_devolvido: true },
};

const state = (...events: SessionEvent[]) => given(session, ...events);
const known = (...events: SessionEvent[]): KnownSession => existingSession(state(...events));
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'no refusal';
};

describe('booking', () => {
  it('books a session as scheduled and confirmed', () => {
    expect(decideBook(booking)).toEqual([booked]);
    expect(state(booked)).toMatchObject({ status: 'agendada', credito: 'nenhum', confirmado: true });
  });

  it.each([
    ['that ends when it starts', seven, seven],
    ['that ends before it starts', eight, seven],
    ['of 14 minutes', seven, '2026-11-26T10:14:59.999Z'],
    ['of more than 6 hours', seven, '2026-11-26T16:00:00.001Z'],
  ])('refuses a session %s', (_case, inicio, fim) => {
    expect(refusal(() => decideBook({ ...booking, inicio, fim }))).toBe('agenda.invalid_period');
  });

  it.each([
    ['15 minutes', '2026-11-26T10:15:00.000Z'],
    ['6 hours', '2026-11-26T16:00:00.000Z'],
  ])('accepts a session of exactly %s', (_case, fim) => {
    expect(decideBook({ ...booking, fim })).toHaveLength(1);
  });
});

describe('moving', () => {
  it('records the former time, and that the session occupies the new one', () => {
    const [event] = decideReschedule(known(booked), { inicio: eight, fim: nine }, true);
    expect(event).toEqual({
      type: 'SessionRescheduled',
      data: {
        ...about,
        inicio: eight,
        fim: nine,
        inicio_antes: seven,
        fim_antes: eight,
        ocupa: true,
        permitir_conflito: true,
      },
    });
    expect(state(booked, event!)).toMatchObject({ inicio: eight, fim: nine });
  });

  it('does nothing if the time is the same', () => {
    expect(decideReschedule(known(booked), { inicio: seven, fim: eight }, false)).toEqual([]);
  });

  it('moves a cancelled session without occupying the new time', () => {
    const [event] = decideReschedule(known(booked, cancelled), { inicio: eight, fim: nine }, false);
    expect(event!.data).toMatchObject({ ocupa: false });
  });

  it('refuses a bad period', () => {
    expect(refusal(() => decideReschedule(known(booked), { inicio: nine, fim: eight }, false))).toBe(
      'agenda.invalid_period',
    );
  });
});

describe('changing', () => {
  const credit = { credito: 'nenhum', valor: null } as const;

  it('records changed details with their former values, except former notes', () => {
    const [event] = decideChange(
      known(booked),
      { student_id: bia, observacoes: null, confirmado: false },
      credit,
    );
    expect(event).toEqual({
      type: 'SessionChanged',
      data: {
        ...about,
        student_id: bia,
        location_id: null,
        observacoes: null,
        confirmado: false,
        credito: 'nenhum',
        valor: null,
        antes: { student_id: ana, observacoes: true, confirmado: true },
      },
    });
  });

  it('does nothing if nothing differs', () => {
    expect(decideChange(known(booked), { location_id: null, confirmado: true }, credit)).toEqual([]);
  });
});

describe('changing the status', () => {
  const done = { credito: 'usado', valor: 8000, permitir_conflito: false } as const;

  it('completes a scheduled and a cancelled session', () => {
    expect(decideComplete(known(booked), done, today)).toEqual([completed]);
    expect(decideComplete(known(booked, cancelled), done, today)[0]!.data).toMatchObject({ de: 'cancelada' });
    expect(refusal(() => decideComplete(known(booked, completed), done, today))).toBe('agenda.already_done');
  });

  it('neither completes nor restores as done a session of a day to come in the zone', () => {
    const dayBefore = { ...today, now: new Date('2026-11-26T02:59:59.999Z') };
    expect(refusal(() => decideComplete(known(booked), done, dayBefore))).toBe('agenda.day_ahead');
    const gone = deletedSession(state(booked, completed, removed));
    expect(refusal(() => decideRestore(gone, 'usado', false, dayBefore))).toBe('agenda.day_ahead');
    const ofScheduled = deletedSession(state(booked, removed));
    expect(decideRestore(ofScheduled, 'nenhum', false, dayBefore)).toHaveLength(1);
  });

  it('reopening a done session records that its credit was returned', () => {
    const [event] = decideReopen(known(booked, completed), false);
    expect(event!.data).toMatchObject({ de: 'feita', credito_devolvido: true });
    expect(state(booked, completed, event!)).toMatchObject({ status: 'agendada', credito: 'nenhum' });
  });

  it('reopening a session for which there was no credit returns none', () => {
    const without: SessionEvent = {
      type: 'SessionCompleted',
      data: { ...about, de: 'agendada', credito: 'faltou', valor: null, permitir_conflito: false },
    };
    expect(decideReopen(known(booked, without), false)[0]!.data).toMatchObject({ credito_devolvido: false });
    expect(refusal(() => decideReopen(known(booked), false))).toBe('agenda.already_scheduled');
  });

  it('cancelling under the policy records the terms, the credit and the fee', () => {
    const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
    const effect = { motivo_confere: true, minutos_ate_inicio: 540, usa_credito: true, taxa: 4000 };
    const [event] = decideCancel(known(booked), {
      motivo: 'aluno_fora_do_prazo',
      justificativa: null,
      applied: { terms, effect },
      credito: 'usado',
      valor: 8000,
    });
    expect(event).toEqual(cancelled);
    expect(refusal(() => decideCancel(known(booked, cancelled), cancelArguments))).toBe(
      'agenda.already_cancelled',
    );
  });

  it('cancelling without the policy costs nothing', () => {
    const [event] = decideCancel(known(booked), cancelArguments);
    expect(event!.data).toMatchObject({ politica: null, credito: 'nenhum', taxa: 0, motivo: 'personal' });
  });

  const cancelArguments = {
    motivo: 'personal',
    justificativa: null,
    applied: null,
    credito: 'nenhum',
    valor: null,
  } as const;
});

describe('deleting and restoring', () => {
  it('deletes a done session and records that its credit was returned', () => {
    expect(decideDelete(known(booked, completed))).toEqual([removed]);
  });

  it('answers 404 for a deleted session', () => {
    expect(refusal(() => known(booked, removed))).toBe('agenda.session_not_found');
    expect(refusal(() => known())).toBe('agenda.session_not_found');
  });

  it('restores a deleted session in its former status', () => {
    const before = deletedSession(state(booked, completed, removed));
    const [event] = decideRestore(before, 'faltou', false, today);
    expect(event).toEqual({
      type: 'SessionRestored',
      data: { ...about, para: 'feita', credito: 'faltou', permitir_conflito: false },
    });
    expect(known(booked, completed, removed, event!)).toMatchObject({ status: 'feita', credito: 'faltou' });
  });

  it('restores nothing that is not deleted', () => {
    expect(refusal(() => deletedSession(state(booked)))).toBe('agenda.not_deleted');
    expect(refusal(() => deletedSession(state()))).toBe('agenda.session_not_found');
  });
});

it('occupies its time while it is scheduled or done', () => {
  expect(occupies(state())).toBe(false);
  expect(occupies(state(booked))).toBe(true);
  expect(occupies(state(booked, completed))).toBe(true);
  expect(occupies(state(booked, cancelled))).toBe(false);
  expect(occupies(state(booked, completed, removed))).toBe(false);
});
