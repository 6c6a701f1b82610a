import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { given } from '../../../test/support/given.js';
import { Problem } from '../../platform/http/problem.js';
import { creditAccount, type CreditEvent } from '../credits/credit-account.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import { deletedSession, existingSession, session, type SessionEvent, single } from '../sessions/session.js';
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

const booked = {
  type: 'SessionBooked' as const,
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
const booksWith = (valor: number | null, usa_credito: boolean): SessionEvent => ({
  ...booked,
  data: { ...booked.data, servico: { service_id: 'service', valor, usa_credito } },
});
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
  const own = { student_id, credits: given(creditAccount, ...events) };
  return { ...own, valor: 8000, dividida: null, antigas: [] };
}
const sessionAfter = (...events: SessionEvent[]) => existingSession(given(session, ...events));

/** The credit events of a settlement, and the state of the session after it. */
function outcomeOf(settled: Settled, ...before: SessionEvent[]) {
  return {
    credits: settled.credits,
    session: given(session, ...before, ...settled.session),
  };
}

describe('completing a session', () => {
  it('uses a credit', () => {
    const settled = settleCompletion(sessionAfter(booked), accountOf(ana, lotOf(ana, 'lot')), false, late);
    expect(outcomeOf(settled, booked)).toMatchObject({
      credits: [used(ana, 'lot', 'sessao')],
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
    expect(settled.credits).toEqual([returned(ana, 'lot'), used(ana, 'lot', 'sessao')]);
  });
});

describe('a session with a service', () => {
  const settle = (event: SessionEvent, ...lots: CreditEvent[]) =>
    outcomeOf(settleCompletion(sessionAfter(event), accountOf(ana, ...lots), false, late), event);

  it('that takes no credit leaves the credits alone, and is to be paid at its price unless it is free', () => {
    const lot = lotOf(ana, 'lot');
    expect(settle(booksWith(15_000, false), lot)).toMatchObject({
      credits: [],
      session: { credito: 'faltou', valor: 15_000 },
    });
    for (const valor of [0, null])
      expect(settle(booksWith(valor, false), lot)).toMatchObject({
        credits: [],
        session: { credito: 'nenhum', valor: 0 },
      });
  });

  it('is worth what its credit was; without one its own price, or that of the plan', () => {
    expect(settle(booksWith(15_000, true), lotOf(ana, 'lot')).session).toMatchObject({
      credito: 'usado',
      valor: 8000,
    });
    expect(settle(booksWith(15_000, true)).session).toMatchObject({ credito: 'faltou', valor: 15_000 });
    expect(settle(booksWith(null, true)).session).toMatchObject({ credito: 'faltou', valor: 8000 });
  });

  it('that takes no credit burns none when it is cancelled late, and its fee is a part of its price', () => {
    const event = booksWith(15_000, false);
    const account = accountOf(ana, lotOf(ana, 'lot'));
    const cancellation = { motivo: 'aluno_fora_do_prazo' as const, aplicar_politica: true };
    const settled = settleCancellation(sessionAfter(event), account, strict, cancellation, late);
    expect(outcomeOf(settled, event)).toMatchObject({
      credits: [],
      session: { status: 'cancelada', credito: 'nenhum', taxa: 7500 },
    });
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
    expect(settled.credits).toEqual([returned(ana, 'lot')]);
  });

  it('returns nothing if no credit was used', () => {
    const settled = settleDeletion(sessionAfter(booked, completed('faltou')), accountOf(ana), late);
    expect(outcomeOf(settled, booked, completed('faltou')).credits).toEqual([]);
  });

  it('is undone by restoring it, which uses a credit again', () => {
    const state = given(session, ...done, deleted)!;
    const settled = settleRestoration(state, accountOf(ana, lotOf(ana, 'lot')), false, late);
    expect(outcomeOf(settled, ...done, deleted)).toMatchObject({
      credits: [used(ana, 'lot', 'sessao')],
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
      credits: [used(ana, 'lot', 'cancelamento')],
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
    rules: { ativo: true, teto_percent: 25, prazo_meses: 1 },
    creditos_do_plano: 4,
    timezone: 'America/Sao_Paulo',
  };
  const cancelled = (motivo: CancellationReason, before: SessionEvent = booked) =>
    settleCancellation(sessionAfter(before), account, strict, { motivo }, early, makeUp);
  const types = ({ credits }: Settled) => credits.map(({ type }) => type);

  it('gives a make-up, which is taken back when the session is scheduled again or done', () => {
    const settled = cancelled('aluno_no_prazo');
    expect(types(settled)).toEqual(['MakeUpGranted']);
    const given_ = { type: 'CreditsGranted' as const, data: ending };
    const after = accountOf(ana, given_, ...settled.credits);
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
      credits: [returned(ana, 'lot'), used(bia, 'other', 'sessao')],
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

describe('a session of a student who uses the credits of another one', () => {
  const own = (id: string, ...events: CreditEvent[]) => ({
    student_id: id,
    credits: given(creditAccount, ...events),
  });
  const shared = (mine: CreditEvent[], anas: CreditEvent[]): StudentAccount => ({
    ...own(bia, ...mine),
    valor: 8000,
    dividida: own(ana, ...anas),
    antigas: [],
  });
  const bias = { ...booked, data: { ...booked.data, student_id: bia } };
  const done = {
    ...completed('usado'),
    data: { ...completed('usado').data, student_id: bia },
  } as SessionEvent;
  const complete = (account: StudentAccount) =>
    outcomeOf(settleCompletion(sessionAfter(bias), account, false, late), bias);

  it('uses their own first, then the shared ones, and then none', () => {
    expect(complete(shared([lotOf(bia, 'own')], [lotOf(ana, 'lot')])).credits).toEqual([
      used(bia, 'own', 'sessao'),
    ]);
    expect(complete(shared([], [lotOf(ana, 'lot')]))).toMatchObject({
      credits: [used(ana, 'lot', 'sessao')],
      session: { credito: 'usado', valor: 8000 },
    });
    expect(complete(shared([], []))).toMatchObject({ credits: [], session: { credito: 'faltou' } });
  });

  it.each<[string, StudentAccount]>([
    ['while they are shared', shared([lotOf(bia, 'own')], [lotOf(ana, 'lot'), used(ana, 'lot', 'sessao')])],
    [
      'after that',
      {
        ...shared([lotOf(bia, 'own')], []),
        dividida: null,
        antigas: [own(ana, lotOf(ana, 'lot'), used(ana, 'lot', 'sessao'))],
      },
    ],
  ])('gives its credit back to where it was taken from, %s', (_, account) => {
    const state = sessionAfter(bias, done);
    for (const settled of [
      settleReopening(state, account, false, late),
      settleDeletion(state, account, late),
      settleCancellation(state, account, strict, { motivo: 'personal' }, late),
    ])
      expect(settled.credits).toEqual([returned(ana, 'lot')]);
  });

  it('that burnt the last shared credit uses it when it is done after all', () => {
    const account = shared([], [lotOf(ana, 'lot')]);
    const cancellation = { motivo: 'aluno_fora_do_prazo' as const, aplicar_politica: true };
    const burnt = settleCancellation(sessionAfter(bias), account, strict, cancellation, late);
    expect(burnt.credits).toEqual([used(ana, 'lot', 'cancelamento')]);
    const after = shared([], [lotOf(ana, 'lot'), ...burnt.credits]);
    expect(settleCompletion(sessionAfter(bias, ...burnt.session), after, false, late).credits).toEqual([
      returned(ana, 'lot'),
      used(ana, 'lot', 'sessao'),
    ]);
  });

  it('passes with the last credit to the one whose credits they are', () => {
    const held = [lotOf(ana, 'lot'), used(ana, 'lot', 'sessao')];
    const transfer = { from: shared([], held), to: accountOf(ana, ...held) };
    const settled = settleChange(sessionAfter(bias, done), { student_id: ana }, transfer, late);
    expect(outcomeOf(settled, bias, done)).toMatchObject({
      credits: [returned(ana, 'lot'), used(ana, 'lot', 'sessao')],
      session: { student_id: ana, credito: 'usado' },
    });
  });

  it('uses no former credits any more', () => {
    const former = { ...shared([], []), dividida: null, antigas: [own(ana, lotOf(ana, 'lot'))] };
    expect(complete(former)).toMatchObject({ credits: [], session: { credito: 'faltou' } });
  });

  it('gives a make-up from the credit that it would have used, and takes it back', () => {
    const expiring = (id: string, lot_id: string): CreditEvent => {
      const lot = lotOf(id, lot_id) as Extract<CreditEvent, { type: 'CreditsGranted' }>;
      return {
        ...lot,
        data: { ...lot.data, expira_em: '2026-11-30', expires_at: '2026-12-01T03:00:00.000Z' },
      };
    };
    const early = { ...late, now: new Date('2026-11-20T10:00:00.000Z') };
    const terms = {
      rules: { ativo: true, teto_percent: 25, prazo_meses: 1 },
      creditos_do_plano: 8,
      timezone: late.timezone,
    };
    const cancel = (account: StudentAccount) =>
      settleCancellation(
        sessionAfter(bias),
        account,
        strict,
        { motivo: 'aluno_no_prazo', aplicar_politica: true },
        early,
        terms,
      );
    expect(cancel(shared([], [expiring(ana, 'lot')])).credits).toMatchObject([
      { type: 'MakeUpGranted', data: { student_id: ana, origem: 'lot', session_id } },
    ]);
    expect(cancel(shared([expiring(bia, 'own')], [expiring(ana, 'lot')])).credits).toMatchObject([
      { type: 'MakeUpGranted', data: { student_id: bia, origem: 'own' } },
    ]);
    // A credit of their own that does not expire needs none.
    expect(cancel(shared([lotOf(bia, 'own')], [expiring(ana, 'lot')])).credits).toEqual([]);
    const given_ = cancel(shared([], [expiring(ana, 'lot')]));
    const after = shared([expiring(bia, 'own')], [expiring(ana, 'lot'), ...given_.credits]);
    expect(cancel(after).credits).toEqual([]);
    const reopened = settleReopening(sessionAfter(bias, ...given_.session), after, false, early);
    expect(reopened.credits).toMatchObject([
      { type: 'MakeUpTakenBack', data: { student_id: ana, origem: 'lot' } },
    ]);
  });
});

it('two students who share credits never use one twice, and lose none, whatever happens in which order', () => {
  const act = fc.oneof(
    fc.record({ of: fc.constant('share' as const), on: fc.boolean() }),
    fc.record({
      of: fc.constantFrom('complete', 'reopen', 'burn', 'cancel', 'delete', 'restore', 'pass'),
      n: fc.nat(3),
    }),
  );
  const lots = fc.array(fc.constantFrom(ana, bia), { maxLength: 4 });
  fc.assert(
    fc.property(lots, fc.array(act, { maxLength: 30 }), (owners, acts) => {
      const accounts = new Map([ana, bia].map((id) => [id, given(creditAccount)]));
      const record = (event: CreditEvent) => {
        const { student_id } = event.data;
        accounts.set(student_id, creditAccount.evolve(accounts.get(student_id)!, event));
      };
      for (const [n, id] of owners.entries()) record(lotOf(id, `lot ${n}`));
      const sessions = [0, 1, 2, 3].map((n) => {
        const data = { ...booked.data, session_id: `session ${n}`, student_id: n % 2 ? ana : bia };
        return given(session, { ...booked, data })!;
      });
      let sharing = { dono: false, ever: false };
      const of = (id: string): StudentAccount => {
        const mine = { student_id: id, credits: accounts.get(id)!, valor: 8000 };
        const anas = { student_id: ana, credits: accounts.get(ana)! };
        if (id === ana) return { ...mine, dividida: null, antigas: [] };
        const { dono, ever } = sharing;
        return { ...mine, dividida: dono ? anas : null, antigas: ever && !dono ? [anas] : [] };
      };
      const total = owners.length;
      for (const one of acts) {
        if (one.of === 'share') {
          sharing = { dono: one.on, ever: sharing.ever || one.on };
          continue;
        }
        const known = sessions[one.n]!;
        const account = of(known.student_id);
        const to = known.student_id === ana ? bia : ana;
        try {
          const state = one.of === 'restore' ? deletedSession(known) : existingSession(known);
          const settled = {
            complete: () => settleCompletion(state, account, true, late),
            reopen: () => settleReopening(state, account, true, late),
            burn: () =>
              settleCancellation(
                state,
                account,
                strict,
                { motivo: 'aluno_fora_do_prazo', aplicar_politica: true },
                late,
              ),
            cancel: () => settleCancellation(state, account, strict, { motivo: 'personal' }, late),
            delete: () => settleDeletion(state, account, late),
            restore: () => settleRestoration(state, account, true, late),
            pass: () => settleChange(state, { student_id: to }, { from: account, to: of(to) }, late),
          }[one.of]();
          settled.credits.forEach(record);
          sessions[one.n] = settled.session.reduce((now, event) => session.evolve(now, event)!, state);
        } catch (error) {
          // Refused as it is without sharing: nothing is recorded.
          if (!(error instanceof Problem)) throw error;
        }
        const all = [...accounts.values()].flatMap((each) => each.lots);
        for (const { session_id: id, credito, deleted: gone } of sessions)
          expect(all.filter((lot) => lot.sessions.includes(id))).toHaveLength(
            credito === 'usado' && !gone ? 1 : 0,
          );
        expect(all.every(({ remaining }) => remaining >= 0)).toBe(true);
        const held = all.reduce((sum, lot) => sum + lot.sessions.length, 0);
        expect(all.reduce((sum, { remaining }) => sum + remaining, 0) + held).toBe(total);
      }
    }),
  );
});
