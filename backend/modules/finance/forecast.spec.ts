import { expect, it } from '@jest/globals';
import { type ChargeNow, forecastSteps } from './forecast.js';

const days = { first: '2026-11-01', last: '2026-11-30' };
const predicted = {
  id: 'c',
  student_id: 'ana',
  origem: 'cobranca' as const,
  titulo: 'Sessão',
  aluno: 'Ana',
  estorno: false,
  data: '2026-11-10',
  valor: 9_000,
};
const now: ChargeNow = {
  id: 'c',
  student_id: 'ana',
  aluno: 'Ana',
  titulo: 'Sessão',
  origem: 'sessao',
  is_bill: false,
  valor: 9_000,
  vencimento: '2026-11-10',
  cancelada: false,
  antes: 0,
  no_mes: 0,
  depois: 0,
  devolvido: 0,
  is_new: false,
  is_new_student: false,
  motivo: null,
  em_ferias: false,
};
const stepsOf = (changes: Partial<ChargeNow>, today = '2026-11-05') =>
  forecastSteps({
    predicted: [predicted],
    charges: [{ ...now, ...changes }],
    plans: [],
    others: [],
    days,
    today,
  }).map(({ tipo, valor }) => [tipo, valor]);

it.each([
  ['nothing yet', {}, [['a_vencer', -9_000]]],
  ['all of it', { no_mes: 9_000 }, []],
  [
    'a part of it',
    { no_mes: 4_000, antes: 3_000 },
    [
      ['pago_antes', -3_000],
      ['a_vencer', -2_000],
    ],
  ],
  ['more than predicted', { valor: 9_500, no_mes: 9_500 }, [['acrescimo', 500]]],
  ['nothing, as its student did not come', { cancelada: true, motivo: 'falta' }, [['falta', -9_000]]],
  ['nothing, in a vacation', { cancelada: true, motivo: 'personal', em_ferias: true }, [['ferias', -9_000]]],
  [
    'nothing, as its session was cancelled',
    { cancelada: true, motivo: 'aluno_no_prazo' },
    [['desmarcada', -9_000]],
  ],
  ['nothing, as it was cancelled', { cancelada: true, origem: 'avulsa' }, [['cancelada', -9_000]]],
  [
    'nothing, as all of it was refunded',
    { cancelada: true, valor: 9_000, devolvido: 9_000 },
    [['estorno', -9_000]],
  ],
] as const)('of a charge that was predicted came %s', (_what, changes, expected) => {
  expect(stepsOf(changes)).toEqual(expected);
});

it('what is open is late once it was due', () => {
  expect(stepsOf({}, '2026-11-11')).toEqual([['atraso', -9_000]]);
});

it.each([
  ['fees', { origem: 'taxa' }, 'taxas'],
  ['single sessions', { origem: 'sessao' }, 'sessoes'],
  ['renewals', { origem: 'plano' }, 'planos'],
  ['new students, whatever they pay', { origem: 'plano', is_new_student: true }, 'novo_aluno'],
] as const)('money that was not predicted is of %s', (_whose, changes, tipo) => {
  const charge = { ...now, is_new: true, no_mes: 9_000, ...changes };
  const steps = forecastSteps({
    predicted: [],
    charges: [charge],
    plans: [],
    others: [],
    days,
    today: days.last,
  });
  expect(steps.map((step) => [step.tipo, step.valor])).toEqual([[tipo, 9_000]]);
});
