import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/http/problem.js';
import type { CancellationReason } from './agenda.api.js';
import { cancellationEffect, inWords, refuseWrongReason, sessionValue } from './cancellation.js';

const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
const start = { inicio: '2026-11-26T10:00:00.000Z' };
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

describe('what a cancellation costs', () => {
  it('is free for the student until exactly the limit', () => {
    expect(effect('aluno_no_prazo', 24)).toEqual({
      motivo_confere: true,
      minutos_ate_inicio: 1440,
      usa_credito: false,
      taxa: 0,
    });
  });

  it('is a credit and the share of the value, half-up, a moment later', () => {
    expect(effect('aluno_fora_do_prazo', 23.999)).toMatchObject({ usa_credito: true, taxa: 1667 });
  });

  it('is the same for who did not come', () => {
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

  it('has an unknown fee when the session has no value', () => {
    expect(effect('aluno_fora_do_prazo', 1, terms, null).taxa).toBeNull();
    expect(effect('aluno_fora_do_prazo', 1, { ...terms, taxa_percent: 0 }, null).taxa).toBe(0);
  });
});

describe('a reason that the clock denies', () => {
  it.each<[CancellationReason, number]>([
    ['aluno_no_prazo', 23],
    ['aluno_fora_do_prazo', 25],
    ['falta', 1],
  ])('%s, %i hours before, is refused', (motivo, hours) => {
    const denied = effect(motivo, hours);
    expect(denied.motivo_confere).toBe(false);
    expect(() => refuseWrongReason(denied, terms, motivo)).toThrow(Problem);
  });

  it('is told with the time that is left', () => {
    expect(() => refuseWrongReason(effect('aluno_no_prazo', 9), terms, 'aluno_no_prazo')).toThrow(
      'Não confere: faltam 9 h, a política é de 24 h.',
    );
  });
});

describe('the consequence in words', () => {
  const burn = { ...terms, taxa_percent: 0 };
  it.each([
    [9, burn, 'faltam 9 h, a política é de 24 h: usa 1 crédito'],
    [9, terms, 'faltam 9 h, a política é de 24 h: usa 1 crédito e taxa de R$ 16,67'],
    [1, burn, 'falta 1 h, a política é de 24 h: usa 1 crédito'],
    [9.5, burn, 'faltam 9 h 30 min, a política é de 24 h: usa 1 crédito'],
    [0.5, burn, 'faltam 30 min, a política é de 24 h: usa 1 crédito'],
    [-0.5, burn, 'a sessão já começou, a política é de 24 h: usa 1 crédito'],
    [30, burn, 'faltam 30 h, a política é de 24 h: sem custo'],
    [48, burn, 'faltam 2 dias, a política é de 24 h: sem custo'],
    [219.5, burn, 'faltam 9 dias e 3 h, a política é de 24 h: sem custo'],
  ])('%d hours before', (hours, policy, words) => {
    expect(inWords(effect('aluno_fora_do_prazo', hours, policy), policy)).toBe(words);
  });

  it('says when a fee cannot be worked out', () => {
    expect(inWords(effect('aluno_fora_do_prazo', 9, terms, null), terms)).toBe(
      'faltam 9 h, a política é de 24 h: usa 1 crédito e a taxa não pode ser calculada (aluno sem plano com créditos)',
    );
  });
});
