import { expect, it } from '@jest/globals';
import { sessionBody, sessionErrors } from './session-form.js';

const values = { data: '29/11/2026', inicio: '23:00', fim: '00:00', location_id: null, observacoes: '' };

it('a session that ends at midnight, or soon after, ends on the next day', () => {
  expect(sessionErrors(values)).toEqual({});
  expect(sessionBody(values, 'America/Sao_Paulo')).toMatchObject({
    inicio: '2026-11-30T02:00:00.000Z',
    fim: '2026-11-30T03:00:00.000Z',
  });
});

it.each(['22:00', '23:00'])('an end before the start is refused: %s', (fim) => {
  expect(sessionErrors({ ...values, fim })).toEqual({ fim: 'O fim deve ser depois do início.' });
});
