import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { formatMoney } from '../../lib/money.js';
import { button, field, open, Refusal, said } from '../../../spec/screen.js';
import { DeliveredNote, DeliveryLine } from './delivery.js';
import { EntrySheet } from './entry-sheet.js';
import { FinanceTools } from './finance-tools.js';

const none = () => undefined;
const entrega = { id: '2c4e6a80-1b3d-4f5a-8c7e-9d0b2a4c6e81', em: '2024-11-10T15:30:12.345Z' };
const delivered = { entrega: { ...entrega, mudancas: 0, valor: 0 } } as MonthSummary;
const tools = { isYearShown: false, onYear: none, advisor: null, onPast: none, moment: null };

it.each([
  [0, 0, 'Nada mudou desde então'],
  [1, 5_000, `1 mudança desde a entrega: +${formatMoney(5_000)}`],
  [2, -30_000, `2 mudanças desde a entrega: ${formatMoney(-30_000)}`],
])('a delivered month with %i changes worth %i leads to them', async (mudancas, valor, words) => {
  open(<DeliveryLine month="2024-10" entrega={{ ...entrega, mudancas, valor }} />);
  const line = await screen.findByRole('link');
  expect(line.textContent).toContain('Entregue ao contador: dom., 10 de nov. de 2024');
  expect(line.textContent).toContain(words);
  expect(line.getAttribute('href')).toBe('/financeiro?mes=2024-10&em=2024-11-10T15:30:12.345Z');
});

it.each<[string, unknown, [string, string?]]>([
  ['is marked as delivered', { id: entrega.id }, ['Mês marcado como entregue ao contador', undefined]],
  [
    'that has not begun is refused',
    new Refusal(422, { code: 'finance.month_to_come', title: 'Este mês ainda não começou' }),
    ['Erro ao marcar o mês como entregue', 'Este mês ainda não começou'],
  ],
])('a month %s', async (_, answer, words) => {
  const user = open(<FinanceTools month="2024-10" summary={undefined} {...tools} />, {
    answers: { 'PUT /finance/months/2024-10/delivery': answer },
  });
  await user.click(await button('Marcar entregue'));
  expect(await said()).toEqual(words);
});

it('a month to come is not offered to be marked', async () => {
  open(<FinanceTools month="2099-10" summary={undefined} {...tools} />);
  await button('Arquivos');
  expect(screen.queryByText('Marcar entregue')).toBeNull();
});

it('a delivery is taken back where the month says of it, and what that moves is said before', async () => {
  const undone: unknown[] = [];
  const user = open(<DeliveryLine month="2024-10" entrega={delivered.entrega!} />, {
    answers: {
      'GET /finance/months/2024-10/delivery/preview': { efeitos: ['10/2024 deixa de estar entregue'] },
      'DELETE /finance/months/2024-10/delivery': () => {
        undone.push('delivery');
        return { id: entrega.id };
      },
    },
  });
  await user.click(await button('Desfazer entrega'));
  await screen.findByText('10/2024 deixa de estar entregue');
  expect(undone).toEqual([]);
  await user.click(screen.getAllByRole('button', { name: 'Desfazer entrega' }).at(-1)!);
  await waitFor(() => expect(screen.queryByText('10/2024 deixa de estar entregue')).toBeNull());
  expect(undone).toEqual(['delivery']);
});

it('an entry that is dated in a delivered month says so before it is recorded', async () => {
  const answers = { 'GET /finance/months/2024-10': delivered };
  const user = open(<EntrySheet opened isExpense={false} onClose={none} onRecorded={none} />, { answers });
  const day = await field('Data');
  expect(screen.queryByText(/já foi entregue/)).toBeNull();
  await user.clear(day);
  await user.type(day, '05/10/2024');
  await screen.findByText(/O mês de outubro já foi entregue ao contador/);
});

it('a correction from one month to another says so of each month', async () => {
  const answers = { 'GET /finance/months/2024-10': delivered, 'GET /finance/months/2024-11': delivered };
  open(<DeliveredNote days={['2024-10-05', '2024-11-05', '2024-11-06']} />, { answers });
  await screen.findByText(/O mês de outubro já/);
  await screen.findByText(/O mês de novembro já/);
  expect(screen.getAllByRole('status').length).toBe(2);
});
