import { expect, it, jest } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { button, open } from '../../../spec/screen.js';
import { MonthFigures } from './month-figures.js';

const summary: MonthSummary = {
  mes: '2026-11',
  recebido: 45_000,
  receitas: 1,
  despesas: 0,
  lucro: 45_000,
  previsto: 75_000,
  sem_cobranca: 0,
  ainda_entra: 30_000,
  vencido: 0,
  meta: 1_000_000,
  ticket_medio: 45_000,
  aderencia: 4.5,
  reserva_sugerida: 9_000,
  meta_reserva: 0,
  dias_restantes: 3,
  entrega: null,
  alocacoes: { imposto: 0, reserva: 0, operacional: 0, retirada: 0 },
  variacao: { lucro: null, ticket_medio: null, aderencia: null },
};

it('says what is still to come in a running month, and leads to its lines', async () => {
  const onExplain = jest.fn();
  const user = open(<MonthFigures summary={summary} onExplain={onExplain} />);
  await user.click(await button(/^Ainda entra R\$\s300,00\./));
  expect(onExplain).toHaveBeenCalledWith('ainda_entra');
});

it.each([
  ['a part', 12_000, /^Ainda entra R\$\s300,00, R\$\s120,00 já vencidos\./],
  ['all', 30_000, /^Ainda entra R\$\s300,00, tudo já vencido\./],
])('says that %s of it is overdue', async (_, vencido, words) => {
  open(<MonthFigures summary={{ ...summary, vencido }} onExplain={() => undefined} />);
  await button(words);
});

it('says why more came in than was expected', async () => {
  const words = 'Recebido inclui entradas sem cobrança.';
  const show = (more: Partial<MonthSummary>) =>
    open(<MonthFigures summary={{ ...summary, ...more }} onExplain={() => undefined} />);
  const first = { previsto: 30_000, recebido: 45_000 };
  show({ ...first, sem_cobranca: 15_000 });
  await screen.findByText(words);
  cleanup();
  // All of it was charged, such as in an earlier month.
  show(first);
  show({ sem_cobranca: 15_000 });
  expect(screen.queryByText(words)).toBeNull();
});

it.each([
  ['a month that has ended', { dias_restantes: 0 }],
  ['a month whose charges are paid', { ainda_entra: 0 }],
])('of %s nothing is still to come', (_, more) => {
  open(<MonthFigures summary={{ ...summary, ...more }} onExplain={() => undefined} />);
  expect(screen.queryByText(/Ainda entra/)).toBeNull();
});

it('compares a month with the one before, unless it is still to come', async () => {
  const show = (mes: string) =>
    open(<MonthFigures summary={{ ...summary, mes }} onExplain={() => undefined} />);
  show('2026-11');
  expect(await screen.findAllByText(/sem dados em/)).toHaveLength(3);
  cleanup();
  show('2126-01');
  await button(/^Ainda entra/);
  expect(screen.queryByText(/sem dados em/)).toBeNull();
});
