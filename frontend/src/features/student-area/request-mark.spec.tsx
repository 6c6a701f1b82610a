import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { NOTHING, open } from '../../../spec/screen.js';
import RequestMark from './request-mark.js';

const asked = { pedido: 'desmarcar', inicio: '2030-12-08T16:00:00.000Z' };
const requests = {
  ...NOTHING,
  items: [
    { ...asked, id: 'a', student_nome: 'Ana Souza' },
    { ...asked, id: 'b', student_nome: 'Bia Lima', pedido: 'remarcar' },
  ],
};

it.each([
  ['that its student asked to change', ['a'], 'Pediu para desmarcar'],
  ['of several, whose one asked', ['b', 'c'], 'Bia pediu para remarcar'],
  ['of several who asked', ['a', 'b'], '2 pedidos'],
])('a session %s says so', async (_what, sessionIds, words) => {
  open(<RequestMark sessionIds={sessionIds} />, { answers: { 'GET /session-requests': requests } });
  expect((await screen.findByText(words)).textContent).toBe(words);
});
