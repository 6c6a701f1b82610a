import { expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import type { ChargeDetail } from '../../../../backend/modules/charges/charges.api.js';
import { button, field, open, Refusal, said, takeBack, TROUBLE } from '../../../spec/screen.js';
import { ChangeForm } from './charge-forms.js';
import ChargesPage from './charges-page.js';
import { ChargeForm } from './charge-form.js';
import { MonthlyPlan, NotAgreed } from './monthly-plan.js';
import { Receivables } from './receivables.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';

const nothingWaits = { 'GET /renewal': { esperando: [], cobrancas: [] } };
const begun = { student: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22', plan: '', session: null };

it('an online charge needs a plan, or an amount of its own', async () => {
  const user = open(
    <ChargeForm
      begun={{ ...begun, valor: 15_000, descricao: 'Aula avulsa' }}
      plans={[]}
      onIssued={() => undefined}
    />,
    { answers: nothingWaits },
  );
  screen.getByRole('option', { name: 'Selecione um plano' });
  await user.click(await button('Gerar link de pagamento'));
  expect(await said()).toEqual([
    'Selecione um plano',
    'Você precisa selecionar um plano para gerar o link de pagamento.',
  ]);
  await screen.findByText('Você precisa selecionar um plano para gerar o link de pagamento.');
});

it.each<[string, unknown, string[]]>([
  ['is made', { id: 'x' }, ['Link criado!', 'Cobrança de R$ 150,00.']],
  ['cannot be made', TROUBLE, ['Erro ao gerar a cobrança', 'Ocorreu um erro inesperado.']],
])('a link %s', async (_, answer, words) => {
  const user = open(
    <ChargeForm
      begun={{ ...begun, valor: 15_000, descricao: 'Aula avulsa' }}
      plans={[]}
      onIssued={() => undefined}
    />,
    { answers: { ...nothingWaits, 'POST /charges': answer } },
  );
  await user.selectOptions(screen.getByLabelText('Plano'), 'outro');
  await user.click(await button('Gerar link de pagamento'));
  expect((await said()).map((text) => text?.replace('\u00a0', ' '))).toEqual(words);
});

it('proposes what the student has bought before, but nothing that was typed over, nor what is charged by itself', async () => {
  const plan = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a23', nome: 'Pacote 8', valor: 64_000, creditos: 8 };
  const student = { id: begun.student, nome: 'Ana', creditos: 0, plano: plan, mensalidade: null };
  const shown = async (known: object, descricao = '') => {
    open(
      <ChargeForm begun={{ ...begun, valor: null, descricao }} plans={[plan]} onIssued={() => undefined} />,
      { answers: { ...nothingWaits, [`GET /students/${begun.student}`]: { ...student, ...known } } },
    );
    await screen.findByText('Ana');
    const values = ['Plano', 'Descrição', 'Valor (R$)'].map(
      (label) => screen.getByLabelText<HTMLInputElement>(label).value,
    );
    cleanup();
    return values;
  };
  expect(await shown({})).toEqual([plan.id, 'Pacote 8', '640,00']);
  expect(await shown({}, 'Avaliação')).toEqual(['', 'Avaliação', '']);
  expect(await shown({ mensalidade: { plano_id: plan.id } })).toEqual(['', '', '']);
  expect(await shown({ plano: null })).toEqual(['', '', '']);
});

it('a charge of the plan that a student pays monthly says that the next month is charged by itself', async () => {
  const plan = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a23', nome: 'Mensal', valor: 45_000, creditos: 8 };
  const mensalidade = { plano_id: plan.id, proximo_mes: '2026-12-01' };
  const user = open(
    <ChargeForm
      begun={{ ...begun, plan: plan.id, valor: null, descricao: '' }}
      plans={[plan]}
      onIssued={() => undefined}
    />,
    { answers: { ...nothingWaits, 'GET /monthly-plan': { mensalidade } } },
  );
  const note = await screen.findByText(/^A mensalidade de dezembro .*é cobrada sozinha no dia 1\./);
  await user.selectOptions(screen.getByLabelText('Plano'), 'outro');
  expect(document.contains(note)).toBe(false);
});

it('says which of several charges of a student was due first, and that sums leave out fines and discounts', async () => {
  const debtor = { id: begun.student, falta: 52_000, vencido: 40_000, desde: '2020-11-20' };
  const items = [
    { ...debtor, nome: 'Ana', quantidade: 1 },
    { ...debtor, id: 'b', nome: 'Bia', quantidade: 2 },
  ];
  open(<Receivables list="devedores" onClose={() => undefined} />, {
    answers: { 'GET /receivables': { falta: 0 }, 'GET /receivables/students': { items, next: null } },
  });
  await screen.findByText(/^1 cobrança · venceu /);
  await screen.findByText(/^2 cobranças · a primeira venceu /);
  await screen.findByText('Sem a multa, os juros e o desconto do dia.');
});

const charge = {
  id: 'c',
  student_nome: 'Ana',
  descricao: 'Pacote',
  situacao: 'aberta',
  valor: 9_000,
  falta: 9_000,
  hoje: { multa: 0, juros: 0, desconto: 0, total: 9_000 },
  vencimento: '2026-11-20',
  avisada_em: null,
  pagamentos: [],
};

it('past charges lead to each as it was, and have nothing that acts', async () => {
  open(<ChargesPage />, {
    at: '/cobrancas?em=2026-11-10',
    answers: { 'GET /charges': { items: [charge], next: null }, 'GET /receivables': { falta: 0 } },
  });
  const row = await screen.findByRole('link', { name: /^Ana/ });
  expect(row.getAttribute('href')).toBe('/cobrancas?cobranca=c&situacao=a_receber&em=2026-11-10');
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Outro momento',
    'Voltar para hoje',
  ]);
});

it.each([
  [9_000, 0],
  [9_180, 1],
])(
  'a list whose charge of R$ 90,00 comes to %d cents today says so %d times beside its total',
  async (total, times) => {
    open(<ChargesPage />, {
      at: '/cobrancas?situacao=vencida',
      answers: {
        'GET /charges': {
          items: [{ ...charge, situacao: 'vencida', hoje: { ...charge.hoje, total } }],
          next: null,
          total: { quantidade: 1, valor: 9_000, falta: 9_000 },
        },
      },
    });
    await screen.findByText('1 cobrança');
    await screen.findByRole('link', { name: /^Ana/ });
    expect(screen.queryAllByText(/^Cobranças com a multa/)).toHaveLength(times);
  },
);

it('says that a moment was before the account, without an offer to try again', async () => {
  const title = 'Sua conta ainda não existia nesse momento';
  open(<ChargesPage />, {
    at: '/cobrancas?em=2020-01-01',
    answers: { 'GET /charges': new Refusal(422, { code: 'past.before_account', title }) },
  });
  await screen.findByText(title);
  expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull();
});

it('undoing a change only affects the changed fields, and only if they were not changed again', async () => {
  const charge = { id: begun.student, descricao: 'Pacote', valor: 15_000, pago: 0, vencimento: '2026-11-20' };
  const sent: unknown[] = [];
  const user = open(<ChangeForm charge={charge as ChargeDetail} onDone={() => undefined} />, {
    answers: { [`PATCH /charges/${charge.id}`]: (body: unknown) => sent.push(body) && { id: charge.id } },
  });
  const valor = await field('Valor (R$)');
  await user.clear(valor);
  await user.type(valor, '180,00');
  await user.click(await button('Salvar'));
  expect(await takeBack()).toBe('Cobrança atualizada');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([{ valor: 18_000 }, { valor: 15_000, se_ainda: { valor: 18_000 } }]);
});

it('a monthly plan without an agreement gets one from its line', async () => {
  const offered = { tipo: 'mensal', is_active: true };
  const plan = { ...offered, id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a33', nome: 'Mensal 8', valor: 48_000 };
  const student = { id: begun.student, plano_id: plan.id, mensalidade: null, arquivado: false };
  const sent: unknown[] = [];
  const user = open(<NotAgreed student={student as KnownStudent} />, {
    answers: {
      'GET /plans': { items: [plan] },
      [`PUT /students/${begun.student}/monthly-plan`]: (body: unknown) => sent.push(body),
    },
  });
  await screen.findByText('Plano sem mensalidade combinada');
  await user.click(await button('Combinar'));
  await user.click(await button('Ativar mensalidade'));
  expect(await said()).toEqual(['Mensalidade ativada', 'Vale a partir da próxima cobrança.']);
  expect(sent).toMatchObject([{ plano_id: plan.id, valor: 48_000, ate: null, vence_dia: 5 }]);
});

it('a monthly plan can be changed although its plan is no longer offered', async () => {
  const plano_id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a33';
  const dates = { desde: '2026-11-01', ate: null, vence_dia: 5, proximo_mes: '2026-12-01' };
  const mensalidade = { plano_id, plano_nome: 'Mensal 8', valor: 40_000, ...dates };
  const path = `/students/${begun.student}/monthly-plan`;
  const user = open(<MonthlyPlan studentId={begun.student} planId={plano_id} />, {
    answers: { [`GET ${path}`]: { mensalidade }, [`PUT ${path}`]: { id: begun.student } },
  });
  await screen.findByText('Mensal 8');
  await user.click(await button('Alterar'));
  const valor = await field('Valor combinado (R$)');
  await user.clear(valor);
  await user.type(valor, '450,00');
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(['Mensalidade alterada', 'Vale a partir da próxima cobrança.']);
});
