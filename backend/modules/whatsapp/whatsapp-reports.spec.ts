import { expect, it } from '@jest/globals';
import { answersIn, reportsIn } from './whatsapp-reports.js';

const body = (said: object) => ({
  entry: [{ changes: [{ value: { metadata: { phone_number_id: '1' }, ...said } }] }],
});

it('a long answer is cut between characters', () => {
  const text = { body: `${'a'.repeat(999)}😀😀` };
  const messages = [{ id: 'w', from: '5511943214321', type: 'text', text }];
  expect(answersIn(body({ messages }), '1')).toMatchObject([{ texto: `${'a'.repeat(999)}😀` }]);
});

it.each([
  [131026, 131026],
  [5_000_000_000, null],
  [{}, null],
])('of a code that cannot be stored nothing is kept: %j', (code, motivo) => {
  const about = { biz_opaque_callback_data: 'bb338bc6-add2-8f62-8a05-d56a9454f8e9', timestamp: '1790000000' };
  const statuses = [{ ...about, status: 'failed', errors: [{ code }] }];
  expect(reportsIn(body({ statuses }), '1')).toMatchObject([{ estado: 'falhou', motivo }]);
});
