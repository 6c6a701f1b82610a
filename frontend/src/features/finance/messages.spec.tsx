import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { MonthSummary, Transaction } from '../../../../backend/modules/finance/finance.api.js';
import { formatMoney } from '../../lib/money.js';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import { CorrectForm } from './correct-form.js';
import { EntryFilterFields } from './entry-filters.js';
import { EntrySheet } from './entry-sheet.js';
import { FigureSheet } from './figure-sheet.js';
import { FinancePage } from './finance-page.js';

const none = () => null;

it.each<[string, unknown, [string, string?]]>([
  [
    'is recorded',
    { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a18', reserva: 3_000 },
    ['Transação criada', `Receita de ${formatMoney(15_000)}. Separe ${formatMoney(3_000)} para a reserva.`],
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
  open(
    <FinancePage
      history={none}
      receipt={none}
      advisor={null}
      waiting={null}
      StudentField={none}
      StudentName={none}
    />,
    {
      answers: { 'GET /finance': TROUBLE, 'GET /transactions': TROUBLE },
      at: '/financeiro?mes=2026-11',
    },
  );
  expect((await screen.findAllByText('Erro ao buscar dados financeiros')).length).toBeGreaterThan(0);
});

it.each([
  ['99999999999', 'Use no máximo R$ 100.000.000,00'],
  ['-5', 'Informe o valor como 1.234,56'],
  ['1,234', 'Informe o valor como 1.234,56'],
])('a filter from %s says "%s" and is not applied', async (typed, words) => {
  const change = jest.fn();
  const user = open(<EntryFilterFields filters={{}} onChange={change} total={undefined} month="2026-11" />);
  await user.click(await button('Filtrar'));
  const least = await field('Valor a partir de');
  await user.type(least, typed);
  await user.tab();
  await screen.findByText(words);
  await user.clear(least);
  await user.type(least, '80');
  await user.tab();
  expect(screen.queryByText(words)).toBeNull();
  await waitFor(() => expect(change).toHaveBeenLastCalledWith({ min: 8_000 }));
  for (const [filters] of change.mock.calls as [{ min?: number }][])
    expect(filters.min ?? 0).toBeLessThanOrEqual(8_000);
});

it('a correction shows the student before and after', async () => {
  const [ana, bia] = ['7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11', '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12'];
  const entry = { id: 'x', tipo: 'receita', descricao: 'Aula', valor: 15_000, metodo_pagamento: 'pix' };
  const transaction = { ...entry, data: '2026-11-05', student_id: ana, aluno: 'Ana Prado', categoria: null };
  const user = open(
    <CorrectForm
      transaction={transaction as Transaction}
      StudentField={({ onChange }) => <button onClick={() => onChange?.(bia)}>Trocar por Bia</button>}
      StudentName={({ id }) => (id === bia ? 'Bia Lima' : null)}
      onDone={none}
      onBack={none}
    />,
  );
  await user.click(await button('Trocar por Bia'));
  await screen.findByRole('row', { name: 'Aluno Ana Prado Bia Lima' });
});

const entry: Transaction = {
  ...{ id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a18', tipo: 'receita', descricao: 'Aula avulsa', valor: 9_000 },
  ...{ metodo_pagamento: 'pix', data: '2026-11-02', estorno_de: null, estornada_por: null },
  ...{ registrada_em: '2026-11-02T12:00:00.000Z', student_id: null, aluno: null, categoria: null },
  ...{ motivo: null, corrige: null, corrigida_por: null, cobranca: null },
};

it('opens an entry that none of the loaded pages has', async () => {
  open(
    <FinancePage
      history={none}
      receipt={none}
      advisor={null}
      waiting={null}
      StudentField={none}
      StudentName={none}
    />,
    {
      answers: { [`GET /transactions/${entry.id}`]: entry, 'GET /finance': TROUBLE },
      at: `/financeiro?mes=2026-11&transacao=${entry.id}`,
    },
  );
  await screen.findByText('Detalhes da Transação');
});

it('each line of a figure leads to what it comes from', async () => {
  const line = { titulo: 'Aula', aluno: 'Ana', estorno: false, data: '2026-11-02', valor: 9_000 };
  const items = [
    { ...line, id: 'entry', origem: 'lancamento' },
    { ...line, id: 'charge', origem: 'cobranca' },
    { ...line, id: 'student', origem: 'mensalidade' },
  ];
  open(
    <FigureSheet
      search={new URLSearchParams('figura=previsto')}
      summary={{ mes: '2026-11' } as MonthSummary}
      StudentName={none}
      onClose={none}
    />,
    { answers: { 'GET /finance/lines': { items, next: null, total: 27_000 } } },
  );
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/financeiro?mes=2026-11&transacao=entry',
    '/cobrancas?cobranca=charge',
    '/alunos/student',
  ]);
});
