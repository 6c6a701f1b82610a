import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { open, Refusal } from '../../../spec/screen.js';
import OwnStatement from './own-statement.js';

const session = {
  id: 'aula',
  inicio: '2020-03-05T12:00:00.000Z',
  fim: '2020-03-05T13:00:00.000Z',
  com: [],
  location_nome: 'Parque',
  confirmado: true,
  a_confirmar: false,
  compartilhada: false,
  pedido: null,
  sozinho_ate: '2020-03-04T12:00:00.000Z',
};
const answers = {
  'GET /student/credits': {
    saldo: 2,
    disponivel: 2,
    lotes: [],
    divisao: { usa: null, com: [], texto: null },
    extrato: { items: [], next: null },
    lacre: null,
  },
  'GET /student/sessions': { items: [session], desmarcadas: [], ferias: [], pausado_ate: '2020-03-04' },
  'GET /student/charges': {
    items: [
      {
        id: 'c',
        descricao: 'Mensal',
        falta: 9_000,
        hoje: { multa: 0, juros: 0, desconto: 0, total: 9_000 },
        vencimento: '2020-03-01',
        situacao: 'vencida',
        avisada: true,
      },
      {
        id: 'd',
        descricao: 'Aula avulsa',
        falta: 5_000,
        hoje: { multa: 0, juros: 0, desconto: 0, total: 5_000 },
        vencimento: '2020-03-04',
        situacao: 'aberta',
        avisada: false,
      },
    ],
  },
  'GET /student/payments': {
    items: [
      {
        id: 'p',
        data: '2020-02-01',
        valor: 9_000,
        metodo_pagamento: 'pix',
        descricao: 'Mensal',
        recibo: { numero: 3, caminho: '/recibo/x' },
      },
    ],
    next: null,
  },
  'GET /student/signature-requests': {
    items: [
      {
        id: 'r',
        titulo: 'Contrato',
        versao: 2,
        estado: 'assinado',
        enviado_em: session.inicio,
        encerrado_em: session.inicio,
      },
    ],
  },
};

const choose = async (user: ReturnType<typeof open>) =>
  user.type(screen.getByLabelText('Como estava no fim do dia'), '03/03/2020');

it('of a past day, shows also the sessions, charges, payments and contracts of then, none of which acts', async () => {
  await choose(open(<OwnStatement />, { answers }));
  await screen.findByText(/versão 2/);
  for (const text of [
    'Parque',
    'Treino pausado',
    /Venceu .* · pagamento avisado/,
    /Vencia /,
    /Pix · recibo nº 3/,
  ])
    expect(await screen.findAllByText(text)).toHaveLength(1);
  for (const { textContent } of screen.queryAllByRole('link'))
    expect(textContent).not.toMatch(/Recibo|Contrato/);
  expect(screen.queryByRole('button', { name: /Pagar|Recibo|Confirmar|Por qu[eê]/ })).toBeNull();
});

it('of a day before the account, says so once and shows no sections', async () => {
  const before = new Refusal(422, { code: 'past.before_account', title: 'Antes da conta' });
  const none = Object.fromEntries(Object.keys(answers).map((call) => [call, before]));
  await choose(open(<OwnStatement />, { answers: none }));
  expect(await screen.findAllByText('Antes da conta')).toHaveLength(1);
  expect(screen.queryByText('A pagar nesse dia')).toBeNull();
});

it('of a day to come, says so instead of passing today for it', async () => {
  await open(<OwnStatement />, { answers }).type(
    screen.getByLabelText('Como estava no fim do dia'),
    '01/01/2999',
  );
  expect(await screen.findByText('Escolha um dia que já passou')).toBeTruthy();
});
