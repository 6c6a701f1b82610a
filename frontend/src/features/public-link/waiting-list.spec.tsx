import { expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { WaitingPerson } from '../../../../backend/modules/public-link/waitlist.api.js';
import { button, open, takeBack } from '../../../spec/screen.js';
import { WaitingList } from './waiting-list.js';

const STUDENT = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a20';
const person: WaitingPerson = {
  id: STUDENT.replace('7', '8'),
  student_id: STUDENT,
  nome: 'Duda Espera',
  aluno: null,
  de: '2026-11-03',
  ate: '2026-11-06',
  periodos: ['noite'],
  servico_nome: null,
  location_nome: 'Parque',
  pulado: false,
  por_email: false,
  oferta: null,
  criado_em: '2026-11-02T11:00:00.000Z',
};

it('blocks the phone of a person on the waitlist, and undoes that', async () => {
  const blocked = jest.fn((_body: unknown) => ({ id: STUDENT }));
  const path = `PUT /students/${STUDENT}/visitor-block`;
  const user = open(<WaitingList />, {
    answers: { 'GET /waitlist': { items: [person] }, [path]: blocked },
  });
  await user.click(await button('Bloquear o número de Duda Espera'));
  expect(await takeBack()).toBe('Número bloqueado');
  await waitFor(() => expect(blocked.mock.calls).toEqual([[{ bloqueado: true }], [{ bloqueado: false }]]));
});
