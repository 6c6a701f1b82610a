import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { Dashboard, Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { NOTHING, open } from '../../../spec/screen.js';
import { DashboardPage } from './dashboard-page.js';
import { StudentSessions } from './student-sessions.js';

const session = (id: string, inicio: Date, more: Partial<Session> = {}): Session => ({
  id,
  student_id: id,
  student_nome: `Aluno ${id}`,
  location_id: null,
  location_nome: null,
  inicio: inicio.toISOString(),
  fim: new Date(inicio.getTime() + 3_600_000).toISOString(),
  status: 'agendada',
  confirmado: true,
  observacoes: null,
  serie_id: null,
  ocorrencia: null,
  grupo_id: null,
  turma: null,
  servico: null,
  motivo: null,
  usou_credito: false,
  sem_credito: false,
  valor: null,
  taxa: 0,
  ...more,
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const none = () => null;

const shown = (dashboard: Partial<Dashboard>, week: Session[] = []) =>
  open(
    <DashboardPage
      name="Marina"
      email="marina@exemplo.com"
      money={null}
      chips={null}
      reads={[]}
      next={{ ConfirmVisit: none, RequestMark: none }}
    />,
    {
      answers: {
        'GET /dashboard': {
          hoje: 0,
          esta_semana: 0,
          total_alunos: 1,
          locais_ativos: 1,
          proximas_sessoes: [],
          primeiros_passos: {
            plano: true,
            aluno: true,
            agendamento: true,
            recebimento: true,
            local: true,
            pix: true,
            link: true,
          },
          ...dashboard,
        } satisfies Dashboard,
        'GET /free-times': { livres: [], bloqueios: [] },
        'GET /sessions': { ...NOTHING, items: week },
      },
    },
  );

it('a day whose sessions are all done does not read as a day without any', async () => {
  shown({}, [session('a', new Date(), { status: 'feita' })]);
  await screen.findByText('sessões agendadas, 1 feita');
});

it('a booking that waits for an answer is told from a certain one in every list', async () => {
  const sessions = [
    session('a', inDays(8)),
    session('b', inDays(9), { confirmado: false }),
    session('c', inDays(10)),
  ];
  shown({ proximas_sessoes: sessions });
  const list = within(await screen.findByRole('region', { name: 'Próximas Sessões' }));
  const rows = list.getAllByRole('link').map(({ textContent }) => textContent.includes('a confirmar'));
  expect(rows).toEqual([true, false]);

  open(<StudentSessions studentId="b" />, {
    answers: { 'GET /sessions': { ...NOTHING, items: sessions } },
  });
  expect(await screen.findAllByText('A confirmar')).toHaveLength(2);
  expect(screen.getAllByText('Agendada')).toHaveLength(4);
});
