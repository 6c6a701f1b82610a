import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { formatMoney } from '../../lib/money.js';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import { EntrySheet } from './entry-sheet.js';
import { FinancePage } from './finance-page.js';

const none = () => null;

it.each<[string, unknown, [string, string?]]>([
  [
    'is recorded',
    { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a18' },
    ['Transação criada', `Receita de ${formatMoney(15_000)}`],
  ],
  ['cannot be recorded', TROUBLE, ['Erro ao criar transação', 'Ocorreu um erro inesperado.']],
])('an entry %s', async (_, answer, words) => {
  const user = open(<EntrySheet opened onClose={none} onRecorded={none} StudentField={none} />, {
    answers: { 'POST /transactions': answer },
  });
  await user.type(await field('Valor (R$)'), '150');
  await user.type(await field('Descrição'), 'Aula avulsa');
  await user.click(await button('Registrar receita'));
  expect(await said()).toEqual(words);
});

it('shows an error if the figures of a month cannot be loaded', async () => {
  open(<FinancePage history={none} receipt={none} advisor={null} StudentField={none} />, {
    answers: { 'GET /finance': TROUBLE, 'GET /transactions': TROUBLE },
    at: '/financeiro?mes=2026-11',
  });
  expect((await screen.findAllByText('Erro ao buscar dados financeiros')).length).toBeGreaterThan(0);
});
