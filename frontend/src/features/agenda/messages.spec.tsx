import { describe, expect, it } from '@jest/globals';
import { Button } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import type { OwnTimes } from '../../../../backend/modules/student-area/student-booking.api.js';
import { button, open, said, TROUBLE } from '../../../spec/screen.js';
import { BookingSheet } from './booking-sheet.js';
import { OwnBookingPage } from './own-booking-page.js';
import OwnSessionSheet from './own-session-sheet.js';
import { StudentPartsProvider, type StudentParts } from './student-parts.js';
import type { ShownSession } from './pending-session.js';
import { useSeriesChange } from './use-series-change.js';
import { useSessionActions } from './use-session-actions.js';
import { useSessionRemoval } from './use-session-removal.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a20';
const ANA = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a21';
const none = () => null;

const studentParts: StudentParts = {
  SessionCharge: none,
  SessionDue: none,
  SessionReminder: none,
  SessionRequest: none,
  ConfirmVisit: none,
  DeclineVisit: none,
  RequestMark: none,
};

const planned = (answer: unknown, studentId: string | null) =>
  open(
    <StudentPartsProvider value={studentParts}>
      <BookingSheet
        opened
        day="2026-11-26"
        time="07:00"
        studentId={studentId}
        onClose={none}
        NewStudent={none}
        NewLocation={none}
      />
    </StudentPartsProvider>,
    {
      answers: {
        'POST /sessions': answer,
        [`GET /students/${ANA}`]: {
          nome: 'Ana',
          whatsapp: null,
          telefone: null,
          creditos: 4,
          esquecido: false,
        },
      },
    },
  );

describe('a session', () => {
  /** Once what is usual for the student is filled in. */
  async function ready() {
    const book = await button('Agendar');
    await waitFor(() => expect(book.hasAttribute('data-loading')).toBe(false));
    return book;
  }

  it.each<[string, string | null, unknown, [string, string?]]>([
    ['needs a student', null, TROUBLE, ['Campos obrigatórios', 'Preencha aluno, data e horários.']],
    ['cannot be booked', ANA, TROUBLE, ['Erro ao criar agendamento', 'Ocorreu um erro inesperado.']],
  ])('%s', async (_, student, answer, words) => {
    const user = planned(answer, student);
    await user.click(await ready());
    expect(await said()).toEqual(words);
  });

  it('is booked', async () => {
    const user = planned({ id: ID }, ANA);
    await user.click(await ready());
    expect((await said())[0]).toBe('Agendamento criado com sucesso!');
  });

  const session = {
    id: ID,
    student_id: ANA,
    student_nome: 'Ana',
    inicio: '2026-11-26T10:00:00.000Z',
    fim: '2026-11-26T11:00:00.000Z',
    status: 'agendada',
    serie_id: null,
    grupo_id: null,
  } as ShownSession;
  function Removal() {
    const { bringBack } = useSessionActions(session);
    const { remove } = useSessionRemoval(session, () => bringBack('restore'));
    const withSeries = useSeriesChange();
    return <Button onClick={() => void remove(withSeries)}>Excluir</Button>;
  }

  it.each<[string, unknown, [string, string?]]>([
    ['is removed', {}, ['Agendamento excluído', 'O agendamento foi removido com sucesso.']],
    ['cannot be removed', TROUBLE, ['Erro', 'Não foi possível excluir o agendamento.']],
  ])('%s', async (_, answer, words) => {
    const removal = (
      <StudentPartsProvider value={studentParts}>
        <Removal />
      </StudentPartsProvider>
    );
    const user = open(removal, { answers: { [`DELETE /sessions/${ID}`]: answer } });
    await user.click(await button('Excluir'));
    expect(await said()).toEqual(words);
  });

  const times = {
    situacao: 'livre',
    limite: 4,
    creditos_livres: 2,
    creditos_ate: null,
    pausado_ate: null,
    locais: [],
    turmas: { situacao: 'livre', items: [] },
    servicos: [],
    servico: null,
    online: false,
    horarios: [{ inicio: '2026-11-26T10:00:00.000Z', fim: '2026-11-26T11:00:00.000Z', locais: null }],
  } as unknown as OwnTimes;

  it('is booked by a student with credits, whose last day is shown', async () => {
    open(<OwnBookingPage trainer="Bia" />, {
      answers: { 'GET /student/free-times': { ...times, creditos_ate: '2026-12-31T03:00:00.000Z' } },
    });
    await screen.findByText('2 créditos livres para aulas até 30/12/2026, fora os das aulas já marcadas.');
  });

  it('is not booked by a student if the request fails', async () => {
    const user = open(<OwnBookingPage trainer="Bia" />, {
      answers: { 'GET /student/free-times': times, 'POST /student/sessions': TROUBLE },
    });
    await user.click(await screen.findByRole('button', { name: /7:00/ }));
    await user.click(await button('Agendar'));
    expect(await said()).toEqual(['Erro ao agendar', 'Ocorreu um erro inesperado.']);
  });
});

describe('a request of the student', () => {
  const own = {
    id: ID,
    inicio: '2020-11-26T10:00:00.000Z',
    fim: '2020-11-26T11:00:00.000Z',
    location_nome: null,
    servico: null,
    chamada: null,
    turma: null,
    confirmado: true,
    a_confirmar: false,
    compartilhada: false,
    com: [],
    sozinho_ate: '2020-11-25T10:00:00.000Z',
  };
  const asked = { situacao: 'aberto' as const, mensagem: null };

  it.each([
    [
      { ...asked, pedido: 'remarcar' as const, novo_inicio: '2020-11-27T12:00:00.000Z' },
      /^Você pediu para mudar para .*27 de nov.*9:00\. A aula continua agendada até seu personal responder\.$/,
    ],
    [
      { ...asked, pedido: 'desmarcar' as const, novo_inicio: null },
      'Você pediu para desmarcar. A aula continua agendada até seu personal responder.',
    ],
    [
      {
        situacao: 'recusado' as const,
        mensagem: 'Já tenho aula',
        pedido: 'desmarcar' as const,
        novo_inicio: null,
      },
      'Seu personal recusou o pedido para desmarcar: a aula continua agendada. “Já tenho aula”',
    ],
  ])('describes what was requested: %j', async (pedido, words) => {
    open(<OwnSessionSheet session={{ ...own, pedido }} title="Aula" onClose={none} />);
    await screen.findByText(words);
  });
});
