import { expect, it } from '@jest/globals';
import { type PastCancellation, replay } from './policy-preview.js';

const HOUR_MS = 3_600_000;
const cancelled = (mes: string, hours: number, more: Partial<PastCancellation> = {}): PastCancellation => {
  const inicio = `${mes.slice(0, 8)}20T10:00:00.000Z`;
  const cancelada_em = new Date(Date.parse(inicio) - hours * HOUR_MS);
  return { mes, inicio, cancelada_em, confirmado: true, motivo: 'aluno_no_prazo', valor: 7500, ...more };
};
const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
const said = (past: PastCancellation[], tried = terms) => replay(past, tried).meses.map(({ texto }) => texto);

const october = [
  cancelled('2030-10-01', 24),
  cancelled('2030-10-01', 12),
  cancelled('2030-10-01', 30, { motivo: 'aluno_fora_do_prazo' }),
];

it('says what the cancellations of a month would have cost', () => {
  expect(said(october)).toEqual([
    'Com esta regra, 3 cancelamentos de outubro teriam custado 1 crédito e R$\u00a037,50.',
  ]);
});

it('decides by the times, whatever the policy was at the time', () => {
  expect(said(october, { ...terms, cancel_limite_horas: 48, taxa_percent: 0 })).toEqual([
    'Com esta regra, 3 cancelamentos de outubro teriam custado 3 créditos.',
  ]);
  expect(said(october, { ...terms, cancel_limite_horas: 2 })).toEqual([
    'Com esta regra, 3 cancelamentos de outubro não teriam custado nada.',
  ]);
});

it('lists the latest month first, and no cost for sessions that were never confirmed', () => {
  const past = [
    cancelled('2030-09-01', 1, { confirmado: false }),
    cancelled('2030-11-01', -1, { motivo: 'falta', valor: null }),
  ];
  expect(said([...october, ...past])).toEqual([
    'Com esta regra, 1 cancelamento de novembro teria custado 1 crédito. A taxa de 1 não pode ser calculada: o aluno estava sem plano com créditos.',
    'Com esta regra, 3 cancelamentos de outubro teriam custado 1 crédito e R$\u00a037,50.',
    'Com esta regra, 1 cancelamento de setembro não teria custado nada.',
  ]);
});

it('is empty if nobody cancelled', () => {
  expect(replay([], terms)).toEqual({ meses: [] });
});
