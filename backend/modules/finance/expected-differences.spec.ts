import { expect, it } from '@jest/globals';
import { differences, type OwnLine } from './expected-differences.js';

const line = (
  origem: 'cobranca' | 'mensalidade',
  id: string,
  valor: number,
  student_id = 'ana',
  data = '2026-11-05',
): OwnLine => ({ origem, id, valor, student_id, data, titulo: null, aluno: null, estorno: false });
const moved = (before: OwnLine[], after: OwnLine[]) =>
  differences(before, after).map(({ origem, id, valor }) => [origem, id, valor]);

it('a line that came, went or has another amount moves the figure by the difference; the newest due date first', () => {
  const before = [line('cobranca', 'same', 100), line('cobranca', 'less', 300), line('cobranca', 'gone', 70)];
  const after = [line('cobranca', 'same', 100), line('cobranca', 'less', 250)];
  const late = line('cobranca', 'new', 40, 'bia', '2026-11-20');
  expect(moved(before, [...after, late])).toEqual([
    ['cobranca', 'new', 40],
    ['cobranca', 'gone', -70],
    ['cobranca', 'less', -50],
  ]);
});

it('a monthly plan that was charged at its price is still the same money', () => {
  expect(moved([line('mensalidade', 'ana', 450)], [line('cobranca', 'x', 450)])).toEqual([]);
  expect(moved([line('mensalidade', 'ana', 450)], [line('cobranca', 'x', 400)])).toEqual([
    ['mensalidade', 'ana', -450],
    ['cobranca', 'x', 400],
  ]);
  expect(moved([line('mensalidade', 'ana', 450)], [line('cobranca', 'x', 450, 'bia')])).toHaveLength(2);
});
