import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, field, open, said } from '../../../spec/screen.js';
import { addDays, instantOf, todayIn } from '../../lib/dates.js';
import { CancelForm } from './cancel-form.js';
import type { ShownSession } from './pending-session.js';

const none = () => undefined;
const zone = 'America/Sao_Paulo';
const on = (days: number) => instantOf(addDays(todayIn(zone), days), '07:00', zone);

const late = { usou_credito: true, sem_credito: false, taxa: 4_500 };
const free = { usou_credito: false, sem_credito: false, taxa: 0 };
const preview = {
  permitido: true,
  tem_custo: true,
  previsto: late,
  perdoado: free,
  texto: 'O aluno avisou fora do prazo: desconta 1 crédito e cobra taxa de R$ 45,00.',
  texto_perdoado: 'Perdoado desta vez: não cobra nada.',
};

function show(cost = late, days = 1) {
  const cancel = jest.fn(() => Promise.resolve({ id: 'one', ...cost } as never));
  const session = {
    id: 'one',
    student_id: 'ana',
    student_nome: 'Ana',
    grupo_id: null,
    serie_id: null,
    inicio: on(days),
    fim: on(days),
    status: 'agendada',
    usou_credito: false,
    location_nome: null,
  } as ShownSession;
  const user = open(
    <CancelForm
      session={session}
      missed={false}
      cancel={cancel}
      onSent={none}
      onRefused={none}
      onBack={none}
    />,
    {
      answers: {
        'GET /sessions/one/cancellation': preview,
        'GET /students/ana': { nome: 'Ana', whatsapp: null, telefone: null },
      },
    },
  );
  return {
    user,
    sent: () => cancel.mock.calls.map(([input]: unknown[]) => (input as { body: object }).body),
  };
}

it('charges the cost that it announces, and says it in the same words', async () => {
  const { user, sent } = show();
  await user.click(await field('O aluno avisou fora do prazo'));
  await screen.findByText(preview.texto);
  await user.click(await button('Cancelar sessão'));
  const [title, words] = await said();
  expect([title, words?.replace('\u00a0', ' ')]).toEqual([
    'Sessão cancelada',
    'Descontou 1 crédito e cobrou taxa de R$ 45,00.',
  ]);
  expect(sent()).toEqual([{ motivo: 'aluno_fora_do_prazo', aplicar_politica: true, previsto: late }]);
});

it('forgives only with a reason, and then announces no cost', async () => {
  const { user, sent } = show(free);
  await user.click(await field('O aluno avisou fora do prazo'));
  await user.click(await screen.findByText('Perdoar desta vez'));
  await screen.findByText(preview.texto_perdoado);
  expect(screen.queryByText(preview.texto)).toBeNull();
  await user.click(await button('Cancelar sessão'));
  await screen.findByText('Informe por que perdoar desta vez');
  expect(sent()).toEqual([]);
  await user.type(await field('Por quê?'), 'Febre');
  await user.click(await button('Cancelar sessão'));
  expect(await said()).toEqual(['Sessão cancelada', 'Não cobrou nada.']);
  expect(sent()).toMatchObject([{ aplicar_politica: false, justificativa: 'Febre', previsto: free }]);
});

it.each([
  ['not before the session begins', 1, true],
  ['once the session has begun', -1, false],
])('a no-show is offered %s', async (_, days, isDisabled) => {
  show(late, days);
  expect((await field('O aluno faltou')).disabled).toBe(isDisabled);
});
