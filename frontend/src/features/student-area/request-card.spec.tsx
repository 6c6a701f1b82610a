import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { SessionRequest } from '../../../../backend/modules/student-area/student-area.api.js';
import { button, field, offered, open } from '../../../spec/screen.js';
import { RequestCard } from './request-card.js';

const request: SessionRequest = {
  id: 's',
  student_id: 'ana',
  student_nome: 'Ana Prado',
  location_nome: null,
  motivo: null,
  inicio: '2030-12-08T10:00:00.000Z',
  fim: '2030-12-08T11:00:00.000Z',
  pedido: 'desmarcar',
  novo_inicio: null,
  novo_fim: null,
  pedido_em: '2030-12-07T10:00:00.000Z',
  no_prazo: true,
};
const shown = (more: Partial<SessionRequest> = {}) =>
  open(<RequestCard request={{ ...request, ...more }} />, {
    answers: {
      'GET /cancellation': { tem_custo: false, previsto: {}, perdoado: {}, texto: 'Não cobra nada.' },
      'POST /grant': { id: 's', status: 'cancelada' },
      'POST /refuse': { id: 's', status: 'agendada' },
      'GET /students/ana': { nome: 'Ana Prado', whatsapp: '+5511943214321', telefone: null },
    },
  });
const to = 'Avisar Ana: https://wa.me/5511943214321?text=Oi, Ana! ';
const lesson = 'sua aula de dom., 8 de dez. de 2030, às 7:00';

it('who asked to cancel can be told that it was done, with the words written', async () => {
  const user = shown();
  await screen.findByText('Não cobra nada.');
  await user.click(await button('Aceitar'));
  expect((await offered()).links).toEqual([`${to}Como você pediu, desmarquei ${lesson}.`]);
});

it('who asked to move can be told that it was refused, and why', async () => {
  const user = shown({ novo_inicio: '2030-12-09T10:00:00.000Z', novo_fim: '2030-12-09T11:00:00.000Z' });
  await user.type(await field('Motivo da recusa (opcional)'), 'Esse horário encheu.');
  await user.click(await button('Recusar pedido'));
  expect((await offered()).links).toEqual([
    `${to}Não consegui mudar ${lesson}: ela continua agendada. Esse horário encheu.`,
  ]);
});
