import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/http/problem.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import {
  announce,
  cancellationEffect,
  refuseOtherCost,
  refuseWrongReason,
  sessionValue,
} from './cancellation.js';
import { costInWords, lessThanHours } from './cancellation.api.js';

const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
const start = { inicio: '2026-11-26T10:00:00.000Z', confirmado: true };
const before = (hours: number) => new Date(Date.parse(start.inicio) - hours * 3_600_000);
const effect = (motivo: CancellationReason, hours: number, policy = terms, valor: number | null = 3333) =>
  cancellationEffect(start, motivo, policy, valor, before(hours));

describe('the value of a session', () => {
  it.each([
    [32_000, 4, 8000],
    [10_000, 3, 3333],
    [20_000, 3, 6667],
    [1, 2, 1],
    [0, 8, 0],
  ])('of a plan of %i cents and %i credits is %i', (valor, creditos, value) => {
    expect(sessionValue({ valor, creditos })).toBe(value);
  });

  it('is unknown without a plan or with one that gives no credits', () => {
    expect(sessionValue(undefined)).toBeNull();
    expect(sessionValue({ valor: 10_000, creditos: 0 })).toBeNull();
  });
});

describe('the cost of a cancellation', () => {
  it('is free for the student until exactly the limit', () => {
    expect(effect('aluno_no_prazo', 24)).toEqual({
      motivo_confere: true,
      minutos_ate_inicio: 1440,
      usa_credito: false,
      taxa: 0,
    });
  });

  it('is a credit and the share of the value, rounded half-up, a moment later', () => {
    expect(effect('aluno_fora_do_prazo', 23.999)).toMatchObject({ usa_credito: true, taxa: 1667 });
  });

  it('is the same for a no-show', () => {
    expect(effect('falta', -1)).toMatchObject({ motivo_confere: true, usa_credito: true, taxa: 1667 });
    expect(effect('falta', 0, { ...terms, cancel_limite_horas: 0 })).toMatchObject({ usa_credito: true });
  });

  it('is nothing when the trainer cancels', () => {
    expect(effect('personal', 1)).toMatchObject({ motivo_confere: true, usa_credito: false, taxa: 0 });
  });

  it('is nothing under the default terms', () => {
    const free = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };
    expect(effect('aluno_fora_do_prazo', 1, free)).toMatchObject({ usa_credito: false, taxa: 0 });
  });

  it.each<[CancellationReason, number]>([
    ['aluno_fora_do_prazo', 1],
    ['falta', -1],
  ])('is nothing for a session that was never confirmed: %s', (motivo, hours) => {
    const unconfirmed = { ...start, confirmado: false };
    expect(cancellationEffect(unconfirmed, motivo, terms, 3333, before(hours))).toMatchObject({
      motivo_confere: true,
      usa_credito: false,
      taxa: 0,
    });
  });

  it('has an unknown fee when the session has no value', () => {
    expect(effect('aluno_fora_do_prazo', 1, terms, null).taxa).toBeNull();
    expect(effect('aluno_fora_do_prazo', 1, { ...terms, taxa_percent: 0 }, null).taxa).toBe(0);
  });
});

describe('a reason that contradicts the time until the start', () => {
  it.each<[CancellationReason, number]>([
    ['aluno_no_prazo', 23],
    ['aluno_fora_do_prazo', 25],
    ['falta', 1],
  ])('%s, %i hours before, is refused', (motivo, hours) => {
    const denied = effect(motivo, hours);
    expect(denied.motivo_confere).toBe(false);
    expect(() => refuseWrongReason(denied, terms, { motivo, aplicar_politica: true })).toThrow(Problem);
  });

  it('is refused with the time that is left', () => {
    const wrong = { motivo: 'aluno_no_prazo', aplicar_politica: true } as const;
    expect(() => refuseWrongReason(effect('aluno_no_prazo', 9), terms, wrong)).toThrow(
      'Não confere: faltam 9 h, a política é de 24 h.',
    );
  });

  it('is accepted without the policy, except a no-show before the session has begun', () => {
    const unapplied = (motivo: CancellationReason) => () =>
      refuseWrongReason(effect(motivo, 9), terms, { motivo });
    expect(unapplied('aluno_no_prazo')).not.toThrow();
    expect(unapplied('falta')).toThrow(
      'A sessão ainda não começou: a falta só pode ser registrada depois do início.',
    );
  });
});

interface Given {
  policy?: typeof terms;
  valor?: number | null;
  hasCredit?: boolean;
  usou_credito?: boolean;
}

const announced = (
  motivo: CancellationReason,
  hours: number,
  { policy = terms, valor = 3333, hasCredit = true, usou_credito = false }: Given = {},
) => announce({ ...start, usou_credito }, motivo, policy, { valor, hasCredit, at: before(hours) });

describe('the announcement of a cancellation', () => {
  const burn = { ...terms, taxa_percent: 0 };
  const free = { ...burn, queima_credito: false };
  const both = 'desconta 1 crédito e cobra taxa de R$\u00a016,67.';
  it.each<[CancellationReason, number, typeof terms, string]>([
    ['aluno_fora_do_prazo', 9, burn, 'Faltam 9 h, a política é de 24 h: desconta 1 crédito.'],
    ['aluno_fora_do_prazo', 9, terms, `Faltam 9 h, a política é de 24 h: ${both}`],
    ['aluno_fora_do_prazo', 1, burn, 'Falta 1 h, a política é de 24 h: desconta 1 crédito.'],
    ['aluno_fora_do_prazo', 9.5, burn, 'Faltam 9 h 30 min, a política é de 24 h: desconta 1 crédito.'],
    ['aluno_fora_do_prazo', 0.5, burn, 'Faltam 30 min, a política é de 24 h: desconta 1 crédito.'],
    ['aluno_fora_do_prazo', 30, terms, 'Falta 1 dia e 6 h, ainda dá tempo: este motivo não cobra nada.'],
    ['aluno_no_prazo', 24, terms, 'Falta 1 dia, a política é de 24 h: não cobra nada.'],
    ['aluno_no_prazo', 39.7, terms, 'Falta 1 dia e 15 h, a política é de 24 h: não cobra nada.'],
    ['aluno_no_prazo', 48, terms, 'Faltam 2 dias, a política é de 24 h: não cobra nada.'],
    ['aluno_no_prazo', 219.5, terms, 'Faltam 9 dias e 3 h, a política é de 24 h: não cobra nada.'],
    ['aluno_no_prazo', 9, terms, 'Faltam 9 h, o prazo de 24 h já passou: este motivo não cobra nada.'],
    ['falta', -0.5, terms, `A sessão já começou, a política é de 24 h: ${both}`],
    ['falta', 9, terms, 'A sessão ainda não começou: a falta só pode ser registrada depois do início.'],
    ['personal', 1, terms, 'Você cancela: não cobra nada.'],
    ['aluno_fora_do_prazo', 9, free, 'Faltam 9 h, a política é sem custo: não cobra nada.'],
    ['falta', -0.5, free, 'A sessão já começou, a política é sem custo: não cobra nada.'],
  ])('for %s, %d hours before', (motivo, hours, policy, texto) => {
    expect(announced(motivo, hours, { policy }).texto).toBe(texto);
  });

  it('says if the session was never confirmed', () => {
    const asked = { valor: null, hasCredit: true, at: before(-1) };
    const session = { ...start, confirmado: false, usou_credito: false };
    expect(announce(session, 'falta', terms, asked)).toMatchObject({
      tem_custo: false,
      texto: 'A reserva ainda não foi confirmada: não cobra nada.',
    });
  });

  it('allows a no-show once the session has begun', () => {
    expect(announced('falta', 0.1)).toMatchObject({ permitido: false, tem_custo: false });
    expect(announced('falta', 0)).toMatchObject({ permitido: true, tem_custo: true });
  });

  it('says that a fee cannot be computed, and charges no fee', () => {
    const { texto, previsto } = announced('aluno_fora_do_prazo', 9, { valor: null });
    expect(texto).toBe(
      'Faltam 9 h, a política é de 24 h: desconta 1 crédito. A taxa não pode ser calculada: o aluno está sem plano com créditos.',
    );
    expect(previsto).toEqual({ usou_credito: true, sem_credito: false, taxa: 0 });
  });

  it('says that the session is to be charged if the student has no credit', () => {
    expect(announced('falta', -1, { policy: burn, hasCredit: false })).toMatchObject({
      previsto: { usou_credito: false, sem_credito: true, taxa: 0 },
      texto:
        'A sessão já começou, a política é de 24 h: deixa a sessão a cobrar, porque o aluno está sem créditos.',
    });
  });

  it('says that the session is charged with the fee if the student has no credit', () => {
    expect(announced('falta', -1, { hasCredit: false }).texto).toBe(
      'A sessão já começou, a política é de 24 h: cobra a sessão, porque o aluno está sem créditos, e taxa de R$\u00a016,67.',
    );
  });

  it('says whether a credit that the session has used is returned', () => {
    expect(announced('personal', -1, { usou_credito: true }).texto).toBe('Você cancela: devolve 1 crédito.');
    expect(announced('falta', -1, { usou_credito: true, policy: burn }).texto).toBe(
      'A sessão já começou, a política é de 24 h: não devolve o crédito já usado.',
    );
  });

  it('announces no cost if the policy is waived', () => {
    expect(announced('falta', -1)).toMatchObject({
      perdoado: { usou_credito: false, sem_credito: false, taxa: 0 },
      texto_perdoado: 'Perdoado desta vez: não cobra nada.',
    });
  });
});

it('uses the same words before and after the cancellation', () => {
  const cost = { usou_credito: true, sem_credito: false, taxa: 1667 };
  const money = (cents: number) => `R$ ${cents / 100}`;
  expect(costInWords(cost, false, 'announced', money)).toBe('desconta 1 crédito e cobra taxa de R$ 16.67');
  expect(costInWords(cost, false, 'done', money)).toBe('descontou 1 crédito e cobrou taxa de R$ 16.67');
});

describe('a cancellation with a cost other than the announced one', () => {
  const told = { usou_credito: true, sem_credito: false, taxa: 1667 };
  it.each([{ usou_credito: false }, { sem_credito: true }, { taxa: 1668 }])('is refused: %j', (other) => {
    expect(() => refuseOtherCost(told, { ...told, ...other })).toThrow(Problem);
  });

  it('is accepted if the cost is the same, or none was announced', () => {
    expect(() => refuseOtherCost(told, { ...told })).not.toThrow();
    expect(() => refuseOtherCost(undefined, told)).not.toThrow();
  });
});

it('uses singular or plural for the hours of a notice that has passed', () => {
  expect([24, 1].map(lessThanHours)).toEqual(['Faltam menos de 24 h', 'Falta menos de 1 h']);
});
