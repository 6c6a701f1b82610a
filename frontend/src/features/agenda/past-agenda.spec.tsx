import { expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { open, Refusal, TROUBLE } from '../../../spec/screen.js';
import PastAgenda from './past-agenda.js';

const moment = { em: '2026-11-10', at: '2026-11-11T02:59:59.999Z', day: '2026-11-10', time: null };
const days = { moment, first: '2026-11-12', last: '2026-11-13' };
const session = {
  id: 'one',
  student_id: 'ana',
  student_nome: 'Ana',
  inicio: '2026-11-12T10:00:00.000Z',
  fim: '2026-11-12T11:00:00.000Z',
  status: 'agendada',
  confirmado: true,
  serie_id: null,
  grupo_id: null,
  location_id: null,
  location_nome: null,
  observacoes: 'Joelho',
  motivo: null,
  valor: null,
  taxa: 0,
};
const answers = {
  'GET /sessions': { items: [session, { ...session, id: 'other', student_nome: null }], next: null },
  'GET /sessions/one': session,
};
const none = () => undefined;
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

it('a past agenda lists its sessions, each leading to itself at that moment', async () => {
  open(<PastAgenda {...days} opened={null} onClose={none} />, { answers });
  await screen.findByText('Aluno apagado');
  expect(links()).toEqual([
    '/agenda?dia=2026-11-12&sessao=one&em=2026-11-10',
    '/agenda?dia=2026-11-12&sessao=other&em=2026-11-10',
  ]);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('a past session is shown without what acts, and leads to the student of that moment', async () => {
  open(<PastAgenda {...days} opened="one" onClose={none} />, { answers });
  await screen.findByText('Joelho');
  await screen.findByText('Como estava em 10 de novembro de 2026');
  expect(links()).toContain('/alunos/ana?em=2026-11-10');
  const buttons = screen.queryAllByRole('button').map((each) => each.getAttribute('aria-label'));
  expect(buttons).toEqual(['Fechar']);
});

const refused = (code: string, title: string) => new Refusal(422, { code, title });

it('a past agenda says that the moment was before the account, without an offer to try again', async () => {
  const title = 'Sua conta ainda não existia nesse momento';
  open(<PastAgenda {...days} opened={null} onClose={none} />, {
    answers: { 'GET /sessions': refused('past.before_account', title) },
  });
  await screen.findByText(title);
  expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull();
});

it('a session that was not there yet says so', async () => {
  const title = 'Isto não existia nesse momento';
  open(<PastAgenda {...days} opened="one" onClose={none} />, {
    answers: { 'GET /sessions/one': refused('past.not_there', title) },
  });
  await screen.findByText(title);
});

it('a past agenda shows its tasks and vacations, and says which it could not load', async () => {
  const task = { id: 'task', titulo: 'Ligar', data_vencimento: '2026-11-12', hora: null, list_nome: null };
  const vacation = { id: 'v', start_date: '2026-11-13', end_date: '2026-11-20', description: null };
  const show = (more: object) =>
    open(<PastAgenda {...days} opened={null} onClose={none} />, { answers: { ...answers, ...more } });
  show({
    'GET /tasks': { items: [{ ...task, concluida_em: null }], next: null },
    'GET /vacations': { items: [vacation], next: null },
  });
  await screen.findByText('Ligar');
  await screen.findByText('Férias: 13/11/2026 a 20/11/2026');
  cleanup();
  show({ 'GET /tasks': TROUBLE, 'GET /vacations': TROUBLE });
  await screen.findByText('Erro ao carregar tarefas');
  await screen.findByText('Erro ao carregar férias');
});
