import { expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { YearOverview } from './year-overview.js';

it('a year has a line with all figures of each month, which opens the month, and their sums', async () => {
  const meses = Array.from({ length: 12 }, (_, n) => ({
    mes: `2026-${String(n + 1).padStart(2, '0')}`,
    previsto: 100_000,
    recebido: n < 11 ? 90_000 : 0,
    despesas: n < 11 ? 20_000 : 0,
  }));
  const onMonth = jest.fn();
  const user = open(<YearOverview year="2026" at={undefined} onMonth={onMonth} />, {
    answers: { 'GET /finance/years/2026': { ano: 2026, meta: 120_000, meses } },
  });
  const list = within(await screen.findByRole('list', { name: 'Mês a mês' }));
  const months = list.getAllByRole('button');
  const words = (of: HTMLElement) => of.textContent?.replaceAll('\u00a0', ' ').replaceAll(/ +/g, ' ');
  expect(months.map((month) => words(month))).toHaveLength(12);
  expect(words(months[1]!)).toBe(
    'fevereiro Recebido R$ 900,00 de R$ 1.000,00 previstos Despesas R$ 200,00 lucro R$ 700,00',
  );
  expect(words(months[11]!)).toBe('dezembro Previsto R$ 1.000,00 Despesas R$ 0,00 lucro R$ 0,00');
  expect(words(screen.getByText('Ano').parentElement!)).toBe(
    'Ano Recebido R$ 9.900,00 de R$ 12.000,00 previstos Despesas R$ 2.200,00 lucro R$ 7.700,00',
  );
  await user.click(months[1]!);
  expect(onMonth).toHaveBeenCalledWith('2026-02');
});
