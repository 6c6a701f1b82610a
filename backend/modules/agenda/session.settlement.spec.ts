import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { Problem } from '../../platform/http/problem.js';
import { creditAccount, type CreditEvent } from '../credits/credit-account.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import { existingSession, session, type SessionEvent, single } from '../sessions/session.js';
import {
  settleCancellation,
  settleChange,
  settleCompletion,
  settleDeletion,
  settleReopening,
  settleRestoration,
  type Settled,
  type StudentAccount,
} from './session.settlement.js';

const ana = 'a0000000-0000-4000-8000-000000000001';
const bia = 'b0000000-0000-4000-8000-000000000002';
const session_id = 'e0000000-0000-4000-8000-000000000009';
const about = {
  session_id,
  student_id: ana,
  inicio: '2026-11-26T10:00:00.000Z',
  fim: '2026-11-26T11:00:00.000Z',
};
const late = {
  now: new Date('2026-11-26T04:00:00.000Z'),
  timezone: 'America/Sao_Paulo',
  newId: () => 'line',
};
const strict = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };

const booked: SessionEvent = {
  type: 'SessionBooked',
  data: {
    ...about,
    location_id: null,
    observacoes: null,
    confirmado: true,
    permitir_conflito: false,
    timezone: 'America/Sao_Paulo',
    ...single,
  },
};
const completed = (credito: 'usado' | 'faltou'): SessionEvent => ({
  type: 'SessionCompleted',
  data: { ...about, de: 'agendada', credito, valor: 8000, permitir_conflito: false },
});
const deleted: SessionEvent = {
  type: 'SessionDeleted',
  data: { ...about, de: 'feita', credito_devolvido: true },
};

const entry = (student_id: string) => ({ student_id, entry_id: 'line', at: late.now.toISOString() });
const lotOf = (student_id: string, lot_id: string): CreditEvent => ({
  type: 'CreditsGranted',
  data: {
    ...entry(student_id),
    lot_id,
    quantidade: 1,
    plano_id: 'plan',
    expira_em: null,
    expires_at: null,
    timezone: 'America/Sao_Paulo',
  },
});
const used = (student_id: string, lot_id: string, causa: 'sessao' | 'cancelamento'): CreditEvent => ({
  type: 'CreditConsumed',
  data: { ...entry(student_id), lot_id, causa, session_id, motivo: null },
});
const returned = (student_id: string, lot_id: string): CreditEvent => ({
  type: 'CreditReturned',
  data: { ...entry(student_id), lot_id, session_id },
});

function accountOf(student_id: string, ...events: CreditEvent[]): StudentAccount {
  return { student_id, credits: given(creditAccount, ...events), valor: 8000 };
}
const sessionAfter = (...events: SessionEvent[]) => existingSession(given(session, ...events));

/** The credit events of a settlement, and the state of the session after it. */
function outcomeOf(settled: Settled, ...before: SessionEvent[]) {
  return {
    credits: settled.credits.filter(({ events }) => events.length > 0),
    session: given(session, ...before, ...settled.session),
  };
}

describe('completing a session', () => {
  it('uses a credit', () => {
    const settled = settleCompletion(sessionAfter(booked), accountOf(ana, lotOf(ana, 'lot')), false, late);
    expect(outcomeOf(settled, booked)).toMatchObject({
      credits: [{ student_id: ana, events: [used(ana, 'lot', 'sessao')] }],
      session: { status: 'feita', credito: 'usado', valor: 8000 },
    });
  });

  it('records that there was no credit, if there is none', () => {
    const settled = settleCompletion(sessionAfter(booked), accountOf(ana), false, late);
    expect(outcomeOf(settled, booked)).toMatchObject({
      credits: [],
      session: { status: 'feita', credito: 'faltou', valor: 8000 },
    });
  });

  it('uses the same credit if the session was cancelled before at the cost of the only credit', () => {
    const account = accountOf(ana, lotOf(ana, 'lot'));
    const cancellation = { motivo: 'aluno_fora_do_prazo' as const, aplicar_politica: true };
    const cancelled = settleCancellation(sessionAfter(booked), account, strict, cancellation, late);
    const state = sessionAfter(booked, ...cancelled.session);
    const burnt = accountOf(ana, lotOf(ana, 'lot'), used(ana, 'lot', 'cancelamento'));
    const settled = settleCompletion(state, burnt, false, late);
    expect(settled.credits).toEqual([
      { student_id: ana, events: [returned(ana, 'lot'), used(ana, 'lot', 'sessao')] },
    ]);
  });
});

describe('a done session that is no longer done', () => {
  const account = accountOf(ana, lotOf(ana, 'lot'), used(ana, 'lot', 'sessao'));
  const done = [booked, completed('usado')];

  it.each([
    ['scheduling it again', settleReopening(sessionAfter(...done), account, false, late)],
    ['deleting it', settleDeletion(sessionAfter(...done), account, late)],
    [
      'cancelling it',
      settleCancellation(sessionAfter(...done), account, strict, { motivo: 'personal' }, late),
    ],
  ])('gives its credit back by %s', (_, settled) => {
    expect(settled.credits).toEqual([{ student_id: ana, events: [returned(ana, 'lot')] }]);
  });

  it('returns nothing if no credit was used', () => {
    const settled = settleDeletion(sessionAfter(booked, completed('faltou')), accountOf(ana), late);
    expect(outcomeOf(settled, booked, completed('faltou')).credits).toEqual([]);
  });

  it('is undone by restoring it, which uses a credit again', () => {
    const state = given(session, ...done, deleted)!;
    const settled = settleRestoration(state, accountOf(ana, lotOf(ana, 'lot')), false, late);
    expect(outcomeOf(settled, ...done, deleted)).toMatchObject({
      credits: [{ student_id: ana, events: [used(ana, 'lot', 'sessao')] }],
      session: { deleted: false, status: 'feita', credito: 'usado' },
    });
  });
});

describe('a late cancellation', () => {
  const cancel = (aplicar_politica: boolean, ...lots: CreditEvent[]) =>
    settleCancellation(
      sessionAfter(booked),
      accountOf(ana, ...lots),
      strict,
      { motivo: 'aluno_fora_do_prazo', aplicar_politica },
      late,
    );

  it('has the cost of the policy if it is applied', () => {
    expect(outcomeOf(cancel(true, lotOf(ana, 'lot')), booked)).toMatchObject({
      credits: [{ student_id: ana, events: [used(ana, 'lot', 'cancelamento')] }],
      session: { status: 'cancelada', credito: 'usado', taxa: 4000 },
    });
  });

  it('costs nothing if the policy is waived', () => {
    expect(outcomeOf(cancel(false, lotOf(ana, 'lot')), booked)).toMatchObject({
      credits: [],
      session: { status: 'cancelada', credito: 'nenhum', taxa: 0 },
    });
  });

  it('is refused for a reason that contradicts the time until the start', () => {
    const inTime = { ...late, now: new Date('2026-11-20T10:00:00.000Z') };
    const cancellation = { motivo: 'aluno_fora_do_prazo' as const, aplicar_politica: true };
    expect(() =>
      settleCancellation(sessionAfter(booked), accountOf(ana), strict, cancellation, inTime),
    ).toThrow(Problem);
  });
});

describe('a session that its student cancels in time', () => {
  const early = { ...late, now: new Date('2026-11-20T01:00:00.000Z') };
  const ending = { ...lotOf(ana, 'lot').data, expires_at: '2026-12-01T03:00:00.000Z' } as never;
  const account = accountOf(ana, { type: 'CreditsGranted', data: ending });
  const makeUp = {
    ...{ rules: { ativo: true, teto_percent: 25, prazo_meses: 1 }, creditos_do_plano: 4 },
    timezone: 'America/Sao_Paulo',
  };
  const cancelled = (motivo: CancellationReason, before: SessionEvent = booked) =>
    settleCancellation(sessionAfter(before), account, strict, { motivo }, early, makeUp);
  const types = ({ credits }: Settled) => credits.flatMap(({ events }) => events.map(({ type }) => type));

  it('gives a make-up, which is taken back when the session is scheduled again or done', () => {
    const settled = cancelled('aluno_no_prazo');
    expect(types(settled)).toEqual(['MakeUpGranted']);
    const given_ = { type: 'CreditsGranted' as const, data: ending };
    const after = accountOf(ana, given_, ...settled.credits.flatMap(({ events }) => events));
    const state = sessionAfter(booked, ...settled.session);
    expect(types(settleReopening(state, after, false, early))).toEqual(['MakeUpTakenBack']);
    expect(types(settleCompletion(state, after, false, late))).toEqual(['MakeUpTakenBack', 'CreditConsumed']);
    expect(types(settleDeletion(state, after, early))).toEqual([]);
  });

  it('gives no make-up for another reason, or if it was never confirmed', () => {
    expect(types(cancelled('personal'))).toEqual([]);
    const unconfirmed = { ...booked, data: { ...booked.data, confirmado: false } } as SessionEvent;
    expect(types(cancelled('aluno_no_prazo', unconfirmed))).toEqual([]);
  });
});

describe('a session that goes to another student', () => {
  it('returns the credit of the former student and uses one of the new student', () => {
    const done = [booked, completed('usado')];
    const transfer = {
      from: accountOf(ana, lotOf(ana, 'lot'), used(ana, 'lot', 'sessao')),
      to: { ...accountOf(bia, lotOf(bia, 'other')), valor: 9000 },
    };
    const settled = settleChange(sessionAfter(...done), { student_id: bia }, transfer, late);
    expect(outcomeOf(settled, ...done)).toMatchObject({
      credits: [
        { student_id: ana, events: [returned(ana, 'lot')] },
        { student_id: bia, events: [used(bia, 'other', 'sessao')] },
      ],
      session: { student_id: bia, credito: 'usado', valor: 9000 },
    });
  });

  it('changes no credits if nothing was settled', () => {
    const transfer = { from: accountOf(ana), to: accountOf(bia, lotOf(bia, 'other')) };
    const settled = settleChange(sessionAfter(booked), { student_id: bia }, transfer, late);
    expect(outcomeOf(settled, booked)).toMatchObject({
      credits: [],
      session: { student_id: bia, credito: 'nenhum', valor: null },
    });
  });
});
