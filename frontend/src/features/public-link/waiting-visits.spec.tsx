import { expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { button, NOTHING, open, said } from '../../../spec/screen.js';
import ConfirmVisit from './confirm-visit.js';
import DeclineVisit from './decline-visit.js';
import { VisitRow } from './visits.js';
import WaitingVisits from './waiting-visits.js';

const visit = {
  id: 'visita',
  session_id: 'sessao',
  student_id: 'rafa',
  nome: 'Rafael Teles',
  aluno: null,
  novo: true,
  inativo: false,
  bloqueado: false,
  servico_nome: null,
  location_nome: 'Studio',
  whatsapp: '+5511987654321',
  status: 'agendada' as const,
  fim: '2030-12-08T17:00:00.000Z',
  criado_em: '2030-12-01T12:00:00.000Z',
  inicio: '2030-12-08T16:00:00.000Z',
  confirmado: false,
  vence_em: null,
  cobranca: null,
  de_quem: [],
};
const waiting = { ...NOTHING, items: [visit, { ...visit, id: 'outra', session_id: 'b', confirmado: true }] };

it('the number of bookings that wait opens them with their answers', async () => {
  const user = open(<WaitingVisits />, { answers: { 'GET /visits': waiting } });
  await user.click(await button('1 para confirmar'));
  const list = within(await screen.findByRole('dialog', { name: 'Reservas a confirmar' }));
  expect(list.getAllByText('Rafael Teles')).toHaveLength(1);
  list.getByRole('button', { name: 'Recusar' });
  // As it looks in the agenda.
  expect(list.getByText('Novo').dataset).toMatchObject({ tone: 'warn', outlined: 'true' });
});

it.each([
  [
    'before it is confirmed',
    { confirmado: false, pedido: 3000 },
    /confirmar antes, R\$\s120,00 ficam a receber$/,
  ],
  ['once it is confirmed', { confirmado: true, pedido: 0 }, /^R\$\s120,00 a receber$/],
])('an unpaid booking says what it leaves to be paid, %s', (_, { confirmado, pedido }, words) => {
  open(<VisitRow visit={{ ...visit, confirmado, cobranca: { id: 'c', valor: 12_000, pago: 0, pedido } }} />);
  screen.getByText(words);
});

it('the booking of a session is confirmed where the session is shown', async () => {
  const sent: string[] = [];
  const user = open(
    <ConfirmVisit sessionId="sessao" otherwise={null}>
      Confirmar
    </ConfirmVisit>,
    {
      answers: {
        'GET /visits': waiting,
        'POST /visits/visita/confirm': () => sent.push('visita') && { id: 'visita' },
      },
    },
  );
  // Until the bookings are read the button takes no tap.
  await waitFor(async () => expect((await button('Confirmar')).dataset.loading).toBeUndefined());
  await user.click(await button('Confirmar'));
  expect((await said())[0]).toBe('Reserva confirmada');
  expect(sent).toEqual(['visita']);
});

it('the booking of a session is declined where the session is shown, with words for the visitor', async () => {
  const sent: unknown[] = [];
  const user = open(<DeclineVisit sessionId="sessao" onBack={() => undefined} />, {
    answers: {
      'GET /visits': waiting,
      'POST /visits/visita/decline': (body: unknown) => sent.push(body) && { id: 'visita' },
    },
  });
  await user.type(await screen.findByLabelText('Mensagem (opcional)'), 'Estou lotado.');
  const whatsApp = screen.getByRole('link', { name: 'Enviar a mensagem no WhatsApp' });
  expect(whatsApp.getAttribute('href')).toContain('Estou%20lotado.');
  await user.click(await button('Recusar reserva'));
  expect((await said())[0]).toBe('Reserva recusada');
  expect(sent).toEqual([{ mensagem: 'Estou lotado.' }]);
});

it('a booking that was answered elsewhere cannot be declined', async () => {
  open(<DeclineVisit sessionId="b" onBack={() => undefined} />, { answers: { 'GET /visits': waiting } });
  await screen.findByText('Esta reserva não espera mais resposta');
});

it('a booking with the phone of students of other names is confirmed once it is said whose it is', async () => {
  const sent: unknown[] = [];
  const bia = { student_id: 'bia', nome: 'Bia Teles', inativo: true };
  const caio = { student_id: 'caio', nome: 'Caio Teles', inativo: false };
  const user = open(<WaitingVisits />, {
    answers: {
      'GET /visits': { ...NOTHING, items: [{ ...visit, de_quem: [caio, bia] }] },
      'POST /visits/visita/confirm': (body: unknown) => sent.push(body) && { id: 'visita' },
    },
  });
  await user.click(await button('1 para confirmar'));
  await user.click(await button('Confirmar'));
  const asked = within(await screen.findByRole('dialog', { name: 'De quem é esta reserva?' }));
  asked.getByRole('button', { name: /Aluno novo/ });
  // Others are merged into active students only.
  const merging = asked.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(merging).toEqual([['É a mesma pessoa: juntar com Caio Teles', '/alunos/caio?juntar=rafa']]);
  expect(sent).toEqual([]);
  await user.click(asked.getByRole('button', { name: /^Bia Teles/ }));
  await waitFor(() => expect(sent).toEqual([{ student_id: 'bia' }]));
});

it.each([
  ['that is confirmed', 'b'],
  ['that no visitor booked', 'c'],
])('a session %s offers something else', async (_what, sessionId) => {
  open(
    <ConfirmVisit sessionId={sessionId} otherwise={<button type="button">Abrir</button>}>
      Confirmar
    </ConfirmVisit>,
    { answers: { 'GET /visits': waiting } },
  );
  await button('Abrir');
});
