import { expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type {
  OwnSession,
  OwnSessions as Answer,
} from '../../../../backend/modules/student-area/own-sessions.api.js';
import { type Answers, button, open, said } from '../../../spec/screen.js';
import { enterByLink } from '../../lib/area-link.js';
import { OwnSessions } from './own-sessions.js';

const session = (place: string, more: Partial<OwnSession>): OwnSession => ({
  id: place,
  location_nome: place,
  servico: null,
  chamada: null,
  turma: null,
  compartilhada: false,
  com: [],
  pedido: null,
  inicio: '2030-11-04T12:00:00.000Z',
  fim: '2030-11-04T13:00:00.000Z',
  sozinho_ate: '2030-11-03T12:00:00.000Z',
  confirmado: true,
  a_confirmar: false,
  ...more,
});

const shown = (more: Partial<Answer>, answers: Answers = {}) =>
  open(<OwnSessions />, {
    answers: {
      ...answers,
      'GET /student/sessions': {
        items: [],
        desmarcadas: [],
        mostra_nome: false,
        ferias: [],
        pausado_ate: null,
        ...more,
      },
    },
  });

it('says which sessions the trainer has yet to confirm, and which the student', async () => {
  const items = [
    session('Parque', {}),
    session('Praia', { confirmado: false }),
    session('Quadra', { confirmado: false, a_confirmar: true }),
  ];
  shown({ items });
  await screen.findByText('Parque');
  await screen.findByText('Praia · aguardando a confirmação do personal');
  await screen.findByText('Quadra');
  expect(screen.getAllByRole('button', { name: /^Confirmar presença/ })).toHaveLength(1);
});

it('does not urge to confirm a session that the student asked to cancel', async () => {
  const pedido = { pedido: 'desmarcar', novo_inicio: null, situacao: 'aberto', mensagem: null } as const;
  shown({ items: [session('Parque', { a_confirmar: true, pedido })] });
  await screen.findByText('Pedido enviado');
  expect(screen.getByRole('button', { name: /^Vou, sim/ }).dataset.variant).toBe('default');
  expect(screen.queryByText('Confirmar')).toBeNull();
});

it('says what a late cancellation has cost, and leads to paying it', async () => {
  const cobranca = { id: 'taxa', falta: 4_500, vencimento: '2030-11-08' };
  const inicio = '2030-11-04T12:00:00.000Z';
  shown({ desmarcadas: [{ id: 'x', inicio, custo: 'cobrou taxa de R$ 45,00', cobranca }] });
  await screen.findByText(/^Seu personal desmarcou a aula de .* Fora do prazo, o cancelamento cobrou taxa/);
  await screen.findByText(/^A pagar: R\$\s45,00, vence sex\., 8 de nov\. de 2030/);
  expect(screen.getByRole('link', { name: 'Pagar' }).getAttribute('href')).toBe('/?pagar=taxa');
});

it('says until when the student is paused, and leads to why', async () => {
  shown({ pausado_ate: '2090-01-20' });
  await screen.findByText('Sua pausa vai até sex., 20 de jan. de 2090.');
  expect(screen.getByRole('link', { name: 'Por quê?' }).getAttribute('href')).toBe('/aluno/extrato');
});

it('promises nothing without a network behind a link, where nothing waits for one, and keeps what was typed', async () => {
  enterByLink('token');
  const cut = () => {
    throw new TypeError('Failed to fetch');
  };
  const ways = ['GET /cancellation', 'POST /request', 'POST /confirm'];
  const user = shown(
    { items: [session('Parque', { sozinho_ate: '2090-01-01T12:00:00.000Z', a_confirmar: true })] },
    Object.fromEntries(ways.map((way) => [way, cut])),
  );
  const confirm = await button(/^Confirmar presença/);
  const line = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await user.click(confirm);
  const why = 'Sem conexão com o servidor. Verifique a internet e tente de novo.';
  expect(await said()).toEqual(['Não foi possível confirmar', why]);
  await user.click(await screen.findByRole('link', { name: /^seg\., 4 de nov\./ }));
  await user.click(await button('Desmarcar'));
  await screen.findByText(/^Sem internet\. Para enviar o pedido, é preciso estar conectado/);
  await user.type(await screen.findByLabelText('Motivo'), 'Viagem');
  await user.click(await button('Pedir para desmarcar'));
  expect(await said()).toEqual(['Erro ao enviar o pedido', why]);
  const sheet = within(screen.getByRole('dialog'));
  expect(sheet.getByLabelText<HTMLInputElement>('Motivo').value).toBe('Viagem');
  expect(sheet.queryByText(/Se for enviado/)).toBeNull();
  line.mockRestore();
  enterByLink(null);
});
