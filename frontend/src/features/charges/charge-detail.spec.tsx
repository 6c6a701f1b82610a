import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { ChargeDetail as Detail } from '../../../../backend/modules/charges/charges.api.js';
import { open } from '../../../spec/screen.js';
import { ChargeDetail } from './charge-detail.js';

const payment = {
  ...{ id: 'p', transaction_id: 't', valor: 60_000, data: '2020-11-12', metodo_pagamento: 'pix' },
  ...{ estornado: false, devolvido: 0 },
};

it.each<[string, object, string]>([
  ['stands', {}, 'Pix'],
  ['was undone', { estornado: true }, 'Pix · desfeito'],
  ['was refunded in part', { valor: 15_000, devolvido: 45_000 }, 'Pix · devolvidos R$ 450,00'],
  ['was refunded', { valor: 0, devolvido: 60_000, estornado: true }, 'Pix · devolvidos R$ 600,00'],
  [
    'was refunded in part and then undone',
    { valor: 15_000, devolvido: 45_000, estornado: true },
    'Pix · devolvidos R$ 450,00 · desfeito',
  ],
])('a payment that %s is listed as what it is', async (_, more, words) => {
  const charge = {
    ...{ id: 'c', student_id: 's', student_nome: 'Ana', situacao: 'paga', valor: 60_000, pago: 60_000 },
    ...{ falta: 0, creditos: 0, vencimento: '2020-11-12', descricao: 'Pacote', link: null, pix: null },
    pagamentos: [{ ...payment, ...more }],
  };
  open(<ChargeDetail charge={charge as unknown as Detail} history={null} />);
  const line = await screen.findByText(/ · Pix/);
  expect(line.textContent?.replaceAll('\u00a0', ' ')).toMatch(
    new RegExp(`· ${words.replaceAll('$', '\\$')}$`),
  );
});
