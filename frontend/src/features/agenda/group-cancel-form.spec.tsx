import { expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { button, offered, open, Refusal, said } from '../../../spec/screen.js';
import { addDays, instantOf, todayIn } from '../../lib/dates.js';
import { GroupCancelForm } from './group-cancel-form.js';
import type { ShownSession } from './pending-session.js';
import { currentQuestion } from './scope.js';
import { asOne } from './shared-hours.js';

const zone = 'America/Sao_Paulo';
const tomorrow = addDays(todayIn(zone), 1);
const at = (time: string) => instantOf(tomorrow, time, zone);
const of = (name: string, more: object = {}) =>
  ({
    id: name,
    student_id: name,
    student_nome: `${name} Souza`,
    grupo_id: 'g',
    serie_id: null,
    inicio: at('07:00'),
    fim: at('08:00'),
    status: 'agendada',
    location_id: null,
    location_nome: null,
    ...more,
  }) as ShownSession;
const FREE = { usou_credito: false, sem_credito: false, taxa: 0 };
const cancelled = { id: 'g', session_ids: ['Ana', 'Bia'], ...FREE };

const student = (nome: string) => ({ nome: `${nome} Souza`, whatsapp: '+5511987654321', telefone: null });
const show = (answer: unknown, sent: unknown[] = [], more: readonly ShownSession[] = [], ana = of('Ana')) =>
  open(
    <GroupCancelForm
      hour={asOne([ana, of('Bia'), ...more])}
      onDone={() => sent.push('done')}
      onBack={() => undefined}
    />,
    {
      answers: {
        'GET /sessions/groups/g/cancellation': cancelled,
        'POST /sessions/groups/g/cancel': (body: unknown) => (sent.push(body), answer),
        'POST /sessions/Ana/series/cancel': (body: unknown) => (sent.push(body), answer),
        'POST /sessions/groups/g/reopen': (body: unknown) => (sent.push(body), cancelled),
        'GET /students/Ana': student('Ana'),
        'GET /students/Bia': student('Bia'),
        'GET /students/Caio': student('Caio'),
        'GET /sessions/later': of('Caio', { inicio: instantOf(addDays(tomorrow, 7), '09:00', zone) }),
      },
    },
  );

it('says whose sessions are cancelled and what that costs them, then offers to tell each and to take all back', async () => {
  const sent: unknown[] = [];
  const user = show(cancelled, sent, [of('Caio', { status: 'feita' })]);
  await screen.findByText(
    'Você cancela a sessão de Ana e Bia: não cobra nada. A de Caio já foi realizada e continua como está.',
  );
  await user.click(await button('Cancelar para todos'));
  const { links, takeBack } = await offered();
  for (const [n, name] of ['Ana', 'Bia'].entries())
    expect(links[n]).toMatch(
      new RegExp(`^Avisar ${name}: .*5511987654321.*Oi, ${name}! A aula de amanhã, às 7:00 foi cancelada`),
    );
  expect(links).toHaveLength(2);
  expect(sent).toEqual([{ inicio: at('07:00') }, 'done']);
  await takeBack();
  expect((await said())[0]).toBe('Cancelamento desfeito');
  expect(sent.at(-1)).toEqual({ session_ids: ['Ana', 'Bia'], de: 'cancelada', permitir_conflito: false });
});

it('ends a weekly hour for all, and tells who came to single hours only of these, also to later ones', async () => {
  const sent: unknown[] = [];
  const session_ids = ['Ana', 'Bia', 'later'];
  const done = { id: 'serie', mudanca_id: 'm', sessoes: 5, puladas: 0, session_ids };
  const user = show(done, sent, [], of('Ana', { serie_id: 'serie' }));
  await screen.findByText(/não cobra nada/);
  await user.click(await button('Cancelar para todos'));
  await waitFor(() => expect(currentQuestion()).not.toBeNull());
  act(() => (currentQuestion() as { answer: (scope: string) => void }).answer('proximas'));
  const { links } = await offered();
  expect(links).toEqual([
    expect.stringMatching(/^Avisar Ana: .*Cancelei suas aulas fixas de .*, às 7:00, a partir de amanhã\.$/),
    expect.stringMatching(/^Avisar Bia: .*A aula de amanhã, às 7:00 foi cancelada/),
    expect.stringMatching(/^Avisar Caio: .*A aula de .*, às 9:00 foi cancelada/),
  ]);
  expect(sent[0]).toEqual({ escopo: 'proximas', motivo: 'personal', com_grupo: true });
});

it('stays open where the server refuses', async () => {
  const sent: unknown[] = [];
  const user = show(
    new Refusal(409, { code: 'agenda.already_done', title: 'A sessão já foi marcada' }),
    sent,
  );
  await screen.findByText('Você cancela a sessão de Ana e Bia: não cobra nada.');
  await user.click(await button('Cancelar para todos'));
  expect(await said()).toEqual(['Erro ao cancelar as sessões', 'A sessão já foi marcada']);
  expect(sent).not.toContain('done');
});
