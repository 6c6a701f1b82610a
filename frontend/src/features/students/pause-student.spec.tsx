import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { button, field, open, said } from '../../../spec/screen.js';
import { PauseStudent } from './pause-student.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11';
const paused = { id: ID, nome: 'Ana Souza', pausado_ate: '2090-01-10' } as KnownStudent;

it('the end of a pause that is under way is changed, and nothing says that the pause begins today', async () => {
  const sent = jest.fn((_body: unknown) => ({ id: ID }));
  const user = open(<PauseStudent student={paused} />, {
    answers: {
      [`GET /students/${ID}/pause/preview`]: { dias: 0, dias_iguais: true, meses: [] },
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
  expect(sent.mock.calls).toEqual([[{ ate: '2090-01-20' }]]);
});

it.each([
  [{ dias: 4, dias_iguais: true, meses: [] }, ['ganham 4 dias.', 'Nenhuma mensalidade deixa']],
  [
    { dias: 1, dias_iguais: false, meses: ['2090-01-01'] },
    ['ganham até 1 dia.', 'A mensalidade de janeiro não é'],
  ],
  [
    { dias: -2, dias_iguais: true, meses: ['2090-01-01', '2090-02-01'] },
    ['perdem 2 dias.', 'As mensalidades de janeiro e fevereiro não são'],
  ],
  [{ dias: 0, dias_iguais: true, meses: [] }, ['Nenhum crédito ganha dias de validade.']],
])('a pause says what the server announces for it: %j', async (announced, words) => {
  const answers = { [`GET /students/${ID}/pause/preview`]: announced };
  const user = open(<PauseStudent student={paused} />, { answers });
  await user.click(await button('Mudar pausa'));
  for (const text of words) await screen.findByText((shown) => shown.includes(text));
});
