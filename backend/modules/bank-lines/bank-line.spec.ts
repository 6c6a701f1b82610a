import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { bankLine, decideLine, decideReopen, decideSplit, type LineDecision } from './bank-line.js';

const paid: LineDecision = {
  decisao: 'cobranca',
  valor: 40_000,
  data: '2026-11-05',
  charge_id: 'c',
  student_id: 's',
  transaction_id: 't',
};
const left: LineDecision = {
  ...paid,
  decisao: 'fora',
  charge_id: null,
  student_id: null,
  transaction_id: null,
};
const after = (...decisions: LineDecision[]) =>
  given(bankLine, ...decisions.flatMap((decision) => decideLine(null, false, 'l', decision)));

it('a line is recorded once, and again only after its entry was reversed', () => {
  expect(decideLine(null, false, 'l', paid)).toEqual([
    { type: 'BankLineDecided', data: { line_id: 'l', ...paid } },
  ]);
  expect(() => decideLine(after(paid), true, 'l', paid)).toThrow('bank_lines.decided');
  expect(() => decideLine(after(paid), true, 'l', left)).toThrow('bank_lines.decided');
  expect(decideLine(after(paid), false, 'l', paid)).toHaveLength(1);
});

it('a line that was left out can be recorded or reopened', () => {
  expect(decideLine(after(left), false, 'l', left)).toEqual([]);
  expect(decideLine(after(left), false, 'l', paid)).toHaveLength(1);
  expect(
    given(bankLine, ...decideLine(null, false, 'l', left), ...decideReopen(after(left), 'l')),
  ).toBeNull();
  expect(() => decideReopen(null, 'l')).toThrow('bank_lines.not_found');
  expect(() => decideReopen(after(paid), 'l')).toThrow('bank_lines.decided');
});

it('a line is split as a whole', () => {
  const part = { charge_id: 'c', student_id: 's', transaction_id: 't', valor: 10_000 };
  const split = (...partes: number[]) =>
    decideSplit({
      line_id: 'l',
      valor: 40_000,
      data: '2026-11-05',
      partes: partes.map((valor) => ({ ...part, valor })),
    });
  expect(given(bankLine, ...split(15_000, 25_000))).toBe('dividida');
  expect(() => split(15_000, 24_999)).toThrow('bank_lines.parts_differ');
  expect(() => decideReopen('dividida', 'l')).toThrow('bank_lines.decided');
});
