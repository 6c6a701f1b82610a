import { expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { MonthSummary, Transaction } from '../../../../backend/modules/finance/finance.api.js';
import { formatMoney } from '../../lib/money.js';
import { button, field, open, Refusal, said, TROUBLE } from '../../../spec/screen.js';
import { CorrectForm } from './correct-form.js';
import { EntryFilterFields } from './entry-filters.js';
import { EntrySheet } from './entry-sheet.js';
import { FigureSheet } from './figure-sheet.js';
import { Past } from '../../ui/past.js';
import { Change } from '../../ui/stat.js';
import { FinancePage } from './finance-page.js';
import RecurringPage from './recurring-page.js';

const none = () => null;

it.each<[string, unknown, [string, string?]]>([
  [
    'is recorded',
    { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a18', reserva: 3_000 },
    ['Transação criada', `Receita de ${formatMoney(15_000)}. Separe ${formatMoney(3_000)} para a reserva.`],
  ],
  ['cannot be recorded', TROUBLE, ['Erro ao criar transação', 'Ocorreu um erro inesperado.']],
])('an entry %s', async (_, answer, words) => {
  const user = open(<EntrySheet opened isExpense={false} onClose={none} onRecorded={none} />, {
    answers: { 'POST /transactions': answer },
  });
  await user.type(await field('Valor (R$)'), '150');
  await user.type(await field('Descrição'), 'Aula avulsa');
  await user.click(await button('Registrar receita'));
  expect(await said()).toEqual(words);
});

it('an amount that is not positive is refused at its field, and nothing is recorded', async () => {
  const recorded = jest.fn();
  const user = open(<EntrySheet opened isExpense={false} onClose={none} onRecorded={recorded} />);
  const amount = await field('Valor (R$)');
  await user.type(amount, '-5');
  await user.type(await field('Descrição'), 'Aula');
  await user.click(await button('Registrar receita'));
  await screen.findByText('Valor deve ser maior que zero');
  expect(amount.getAttribute('aria-invalid')).toBe('true');
  expect(recorded).not.toHaveBeenCalled();
});

it('shows an error if the figures of a month cannot be loaded', async () => {
  const user = open(<FinancePage advisor={null} waiting={null} />, {
    answers: {
      'GET /transactions': TROUBLE,
      ...Object.fromEntries(
        ['2026-11', '2026-12', '2027-01'].map((one) => [`GET /finance/months/${one}`, TROUBLE]),
      ),
    },
    at: '/financeiro?mes=2026-11',
  });
  expect((await screen.findAllByText('Erro ao buscar dados financeiros')).length).toBeGreaterThan(0);
  // Another month can be chosen all the same.
  const month = screen.getByLabelText<HTMLSelectElement>('Mês');
  await user.click(await button('Próximo mês'));
  await user.click(await button('Próximo mês'));
  expect(month.value).toBe('2027-01');
  await user.click(await button('Mês anterior'));
  expect(month.value).toBe('2026-12');
});

it.each([
  ['99999999999', 'Use no máximo R$ 100.000.000,00'],
  ['-5', 'Informe o valor como 1.234,56'],
  ['1,234', 'Informe o valor como 1.234,56'],
])('a filter from %s says "%s" and is not applied', async (typed, words) => {
  const change = jest.fn();
  const user = open(
    <EntryFilterFields opened filters={{}} onChange={change} total={undefined} month="2026-11" />,
  );
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
  const named = { id: bia, nome: 'Bia Lima', creditos: 0 };
  const entry = { id: 'x', tipo: 'receita', descricao: 'Aula', valor: 15_000, metodo_pagamento: 'pix' };
  const transaction = { ...entry, data: '2026-11-05', student_id: ana, aluno: 'Ana Prado', categoria: null };
  const user = open(<CorrectForm transaction={transaction as Transaction} onDone={none} onBack={none} />, {
    answers: { 'GET /students': { items: [named], next: null }, [`GET /students/${bia}`]: named },
  });
  await user.click(await button('Trocar'));
  await user.click(await button('Escolher o aluno'));
  await user.click(await button(/Bia Lima/));
  await screen.findByRole('row', { name: 'Aluno Ana Prado Bia Lima' });
});

const entry: Transaction = {
  id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a18',
  tipo: 'receita',
  descricao: 'Aula avulsa',
  valor: 9_000,
  metodo_pagamento: 'pix',
  data: '2026-11-02',
  estorno_de: null,
  estornada_por: null,
  registrada_em: '2026-11-02T12:00:00.000Z',
  student_id: null,
  aluno: null,
  categoria: null,
  motivo: null,
  corrige: null,
  corrigida_por: null,
  cobranca: null,
};

it('a correction shows value and category before and after, and needs a reason', async () => {
  const sent: unknown[] = [];
  const entry = { id: 'x', tipo: 'despesa', descricao: 'Sala', valor: 7_000, metodo_pagamento: 'pix' };
  const transaction = { ...entry, data: '2026-11-05', student_id: null, aluno: null, categoria: null };
  const user = open(<CorrectForm transaction={transaction as Transaction} onDone={none} onBack={none} />, {
    answers: { 'POST /transactions/x/correct': (body: unknown) => (sent.push(body), { id: 'y' }) },
  });
  await user.clear(await field('Valor (R$)'));
  await user.type(await field('Valor (R$)'), '90,00');
  await user.selectOptions(await field('Categoria'), 'Aluguel');
  await screen.findByRole('row', { name: `Valor ${formatMoney(7_000)} ${formatMoney(9_000)}` });
  await screen.findByRole('row', { name: 'Categoria Sem categoria Aluguel' });
  await user.click(await button('Corrigir'));
  await screen.findByText('Informe o motivo');
  expect(sent).toEqual([]);
  await user.type(await field('Motivo'), 'valor digitado errado');
  await user.click(await button('Corrigir'));
  expect((await said())[0]).toBe('Lançamento corrigido');
  expect(sent).toMatchObject([{ valor: 9_000, categoria: 'aluguel', motivo: 'valor digitado errado' }]);
});

it('a recurring expense has a day that every month has, says when it is recorded, and is ended', async () => {
  const sent: unknown[] = [];
  const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a19';
  const user = open(<RecurringPage />, {
    answers: {
      'GET /recurring-expenses': () => {
        const items = sent.slice(0, 1).map((terms) => ({ ...(terms as object), id, proxima: '2030-12-10' }));
        return { items, next: null, total: { quantidade: 0, valor: 0 } };
      },
      'POST /recurring-expenses': (body: unknown) => (sent.push(body), { id }),
      [`DELETE /recurring-expenses/${id}`]: () => (sent.push('ended'), { id }),
    },
  });
  await user.click(await button('Criar a primeira'));
  await user.type(await field('Valor (R$)'), '1.800,00');
  await user.type(await field('Descrição'), 'Aluguel da sala');
  await user.clear(await field('Dia do mês'));
  await user.type(await field('Dia do mês'), '29');
  await user.click(await button('Criar despesa recorrente'));
  await screen.findByText('Use um dia de 1 a 28');
  await user.clear(await field('Dia do mês'));
  await user.type(await field('Dia do mês'), '10');
  await user.click(await button('Criar despesa recorrente'));
  expect(await said()).toEqual(['Despesa recorrente criada', 'O lançamento entra sozinho todo dia 10.']);
  expect(sent).toMatchObject([{ valor: 180_000, vence_dia: 10, ate: null }]);
  await user.click(await button(/Aluguel da sala/));
  await user.click(await button('Encerrar despesa recorrente'));
  expect((await said())[0]).toBe('Despesa recorrente encerrada');
  expect(sent[1]).toBe('ended');
});

it('opens an entry that none of the loaded pages has', async () => {
  open(<FinancePage advisor={null} waiting={null} />, {
    answers: { [`GET /transactions/${entry.id}`]: entry, 'GET /finance': TROUBLE },
    at: `/financeiro?mes=2026-11&transacao=${entry.id}`,
  });
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
      moment={null}
      onExplain={none}
      onForecast={none}
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

const summary = {
  mes: '2025-11',
  recebido: 45_000,
  receitas: 1,
  despesas: 0,
  lucro: 45_000,
  previsto: 0,
  ainda_entra: 0,
  vencido: 0,
  sem_cobranca: 0,
  meta: 1_000_000,
  ticket_medio: 45_000,
  aderencia: 4.5,
  reserva_sugerida: 9_000,
  meta_reserva: 0,
  dias_restantes: 0,
  alocacoes: { imposto: 0, reserva: 0, operacional: 0, retirada: 0 },
  variacao: { lucro: null, ticket_medio: null, aderencia: null },
};
const listed = { ...entry, descricao: 'Plano', valor: 45_000, data: '2025-11-05' };

it('a month as it was says so, tells what changed since, and offers nothing that writes', async () => {
  const same = { antes: 0, agora: 0 };
  const mudanca = {
    posicao: 9,
    quando: '2026-03-10T12:00:00.000Z',
    dispositivo: null,
    evento: 'TransactionReversed',
    quem: { id: listed.id, nome: 'Marina' },
    texto: 'Estornou a receita (motivo: em dobro)',
  };
  const line = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a19', origem: 'lancamento', titulo: 'Plano' };
  const changed = { ...line, aluno: 'Ana Lima', estorno: true, data: '2025-11-05', valor: -45_000 };
  const user = open(<FinancePage advisor="consultor" waiting="a decidir" />, {
    answers: {
      'GET /finance/months/2025-11/changes': {
        at: '2025-12-11T02:59:59.999Z',
        items: [{ ...changed, figura: 'recebido', mudanca }],
        next: null,
        valores: { recebido: { antes: 45_000, agora: 0 }, despesas: same, previsto: same },
        previsto: { items: [], resto: { quantidade: 0, valor: 0 } },
      },
      'GET /finance/months/2025-11': summary,
      'GET /transactions': {
        items: [listed],
        next: null,
        total: { quantidade: 1, receitas: 45_000, despesas: 0, saldo: 45_000 },
      },
    },
    at: '/financeiro?mes=2025-11&em=2025-12-10',
  });
  await screen.findByText('Novembro como estava em 10 de dezembro de 2025');
  const since = within(await screen.findByRole('region', { name: 'Mudou desde então' }));
  await since.findByText('Estorno: Ana · Plano');
  since.getByText(/^Estornou a receita \(motivo: em dobro\) · Marina · /);
  // The line leads to the entry as it is now; closing it leads back to the moment.
  expect(since.getByRole('link').getAttribute('href')).toBe(
    `/financeiro?mes=2025-11&transacao=${line.id}&em=2025-12-10&agora=1`,
  );
  expect(screen.queryByRole('button', { name: 'Lançamento' })).toBeNull();
  for (const absent of ['consultor', 'a decidir', 'Recorrentes', 'Baixar CSV'])
    expect(screen.queryByText(absent)).toBeNull();

  await user.click(await screen.findByText('Plano'));
  await screen.findByText('Este lançamento como estava em 10 de dezembro de 2025.');
  for (const absent of ['Corrigir', 'Estornar', 'Emitir recibo', 'hoje'])
    expect(screen.queryByText(absent)).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Fechar' }));
  await user.click(await button('Voltar para hoje'));
  await screen.findByRole('button', { name: 'Lançamento' });
  await button('Ver como estava em…');
});

it.each([
  [145.8, '145,8% a mais que em out.'],
  [-3, '3% a menos que em out.'],
  [0, 'igual a out.'],
  [null, 'sem dados em out.'],
])('a change by %p percent is "%s"', (value, words) => {
  open(<p aria-label="lucro">{<Change value={value} against="out." />}</p>);
  expect(screen.getByLabelText('lucro').textContent).toBe(words);
});

it('a month before the account says so, and leads back', async () => {
  const title = 'Sua conta ainda não existia nesse momento';
  open(<FinancePage advisor={null} waiting={null} />, {
    answers: { 'GET /finance/months/2025-11': new Refusal(422, { code: 'past.before_account', title }) },
    at: '/financeiro?mes=2025-11&em=2025-12-10',
  });
  await screen.findByText(title);
  expect(screen.queryByText('Histórico de transações')).toBeNull();
  await button('Voltar para hoje');
});

it.each([
  ['', '', 'Informe o dia'],
  ['31/02/2026', '', 'Informe o dia como 25/12/2026'],
  ['25/12/2099', '', 'Escolha um dia que já passou'],
])('the moment "%s" "%s" is refused with "%s"', async (dia, hora, words) => {
  const user = open(
    <Past
      what="Novembro"
      moment={null}
      zone="America/Sao_Paulo"
      today="2026-11-27"
      isAsking
      onAsk={none}
      onChoose={none}
    />,
  );
  if (dia) await user.type(await field('Dia'), dia);
  if (hora) await user.type(await field('Horário (opcional)'), hora);
  await user.click(await button('Ver'));
  await screen.findByText(words);
});
