import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { button, open } from '../../../spec/screen.js';
import { FinanceTools } from './finance-tools.js';

const none = () => undefined;
const others = { isYearShown: false, onYear: none, advisor: 'Consultor', onPast: none };
const names = (role: string) => screen.queryAllByRole(role).map(({ textContent }) => textContent);

it('the tools lead to other pages and to the files of the month', async () => {
  const user = open(<FinanceTools month="2026-11" moment={null} summary={undefined} {...others} />);
  await user.click(await button('Arquivos'));
  const files = within(await screen.findByRole('dialog', { name: 'Arquivos de novembro' }));
  expect(files.getAllByRole('button').flatMap(({ textContent }) => textContent || [])).toEqual([
    'Mês para o contador (PDF)',
    'Lançamentos do mês (CSV)',
    'Carnê-Leão do mês (CSV)',
    'Receitas para o Carnê-Leão Web',
    'Despesas para o Carnê-Leão Web',
  ]);
});

it('the tools of a past moment change nothing, and keep to that moment with the files of the month', async () => {
  const moment = { em: '2026-11-10', at: '2026-11-11T02:59:59.999Z', day: '2026-11-10', time: null };
  open(<FinanceTools month="2026-11" moment={moment} summary={undefined} {...others} />);
  const charges = await screen.findByRole('link', { name: 'Cobranças' });
  expect(charges.getAttribute('href')).toBe('/cobrancas?em=2026-11-10');
  expect(names('link')).toEqual(['Cobranças']);
  expect(names('button')).toEqual(expect.arrayContaining(['Ano', 'Arquivos']));
  expect(screen.queryByText(/Consultor|como estava/)).toBeNull();
});
