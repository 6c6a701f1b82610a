import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { button, field, open, said, takeBack } from '../../../spec/screen.js';
import { pauseMessage, PauseStudent } from './pause-student.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11';
const paused = { id: ID, nome: 'Ana Souza', pausado_ate: '2090-01-10' } as KnownStudent;

/** What the server announces of a pause without sessions. */
const announced = {
  dias: 0,
  dias_iguais: true,
  meses: [],
  sessoes: 0,
  primeiras: [],
  horario_fixo: false,
  cancelando: false,
  reabertas: 0,
};
const changed = { id: ID, mudanca_id: null, canceladas: [], reabertas: [], fora: 0 };

it('the end of a pause that is under way is changed, and nothing says that the pause begins today', async () => {
  const sent = jest.fn((_body: unknown) => changed);
  const user = open(<PauseStudent student={paused} />, {
    answers: {
      [`GET /students/${ID}/pause/preview`]: announced,
      [`PUT /students/${ID}/pause`]: sent,
    },
  });
  await user.click(await button('Mudar pausa'));
  await screen.findByText('Pausa de Ana Souza');
  await screen.findByText('Último dia da pausa.');
  const end = await field('Até quando');
  await user.clear(end);
  await user.type(end, '20/01/2090');
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(['Aluno pausado até 20/01/2090']);
  expect(sent.mock.calls).toEqual([[{ ate: '2090-01-20', sessoes: 'manter' }]]);
});

it.each([
  [{ dias: 4 }, ['ganham 4 dias.', 'Nenhuma mensalidade deixa', 'Nenhuma sessão agendada na pausa.']],
  [
    { dias: 1, dias_iguais: false, meses: ['2090-01-01'] },
    ['ganham até 1 dia.', 'A mensalidade de janeiro não é'],
  ],
  [
    { dias: -2, meses: ['2090-01-01', '2090-02-01'], reabertas: 2 },
    [
      'perdem 2 dias.',
      'As mensalidades de janeiro e fevereiro não são',
      '2 sessões canceladas pela pausa voltam à agenda.',
    ],
  ],
  [{ dias: 0 }, ['Nenhum crédito ganha dias de validade.']],
])('a pause says what the server announces for it: %j', async (more, words) => {
  const answers = { [`GET /students/${ID}/pause/preview`]: { ...announced, ...more } };
  const user = open(<PauseStudent student={paused} />, { answers });
  await user.click(await button('Mudar pausa'));
  for (const text of words) await screen.findByText((shown) => shown.includes(text));
});

it('a pause asks what to do with the sessions in it, and is undone by its change', async () => {
  const ana = { ...paused, pausado_ate: null };
  const starts = ['04', '06', '11'].map((day) => `2090-01-${day}T10:00:00.000Z`);
  const done = { ...changed, mudanca_id: ID, canceladas: [...starts, '2090-01-13T10:00:00.000Z'] };
  const sent = jest.fn((_body: unknown) => done);
  const user = open(<PauseStudent student={ana} />, {
    answers: {
      [`GET /students/${ID}/pause/preview`]: {
        ...announced,
        sessoes: 4,
        primeiras: starts,
        horario_fixo: true,
      },
      [`PUT /students/${ID}/pause`]: sent,
    },
  });
  await user.click(await button('Pausar'));
  await user.type(await field('Até quando'), '20/01/2090');
  await screen.findByText('O que fazer com as 4 sessões da pausa?');
  await screen.findByText('qua., 4 de jan. de 2090, 7:00');
  await screen.findByText('e mais 1');
  await screen.findByText('As sessões continuam na agenda.');
  await user.click(await screen.findByLabelText('Cancelar as 4 sessões'));
  await screen.findByText('O cancelamento não custa nada ao aluno. O horário fixo continua depois da pausa.');
  await user.click((await screen.findAllByRole('button', { name: 'Pausar' })).at(-1)!);
  expect(await takeBack()).toBe('Aluno pausado até 20/01/2090');
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.calls).toEqual([
    [{ ate: '2090-01-20', sessoes: 'cancelar' }],
    [{ ate: null, se_ainda: { ate: '2090-01-20' }, mudanca_id: ID }],
  ]);
});

it('tells the student until when the pause is, and which classes are cancelled or come back', () => {
  const on = (day: number) => `2090-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  const told = (more: Partial<Parameters<typeof pauseMessage>[1]>) =>
    pauseMessage('Ana', { ate: '2090-01-20', canceladas: [], reabertas: [], ...more }, 'America/Sao_Paulo');
  expect(told({})).toBe('Oi, Ana! Sua pausa vai até 20/01/2090.');
  expect(told({ canceladas: [on(4)] }).split('\n')[1]).toBe(
    'Desmarquei a nossa aula de qua., 4 de jan. de 2090, 7:00.',
  );
  expect(told({ ate: null, reabertas: [on(4), on(6)] }).split('\n')).toEqual([
    'Oi, Ana! Sua pausa acabou.',
    'Voltaram à agenda as nossas aulas:',
    '• qua., 4 de jan. de 2090, 7:00',
    '• sex., 6 de jan. de 2090, 7:00',
  ]);
  const many = told({ canceladas: Array.from({ length: 12 }, (_, day) => on(day + 1)) }).split('\n');
  expect([many.length, many.at(-1)]).toEqual([13, '• e mais 2']);
});
