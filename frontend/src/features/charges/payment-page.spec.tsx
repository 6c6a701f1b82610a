import { expect, it } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import type { PaymentPage as Shown } from '../../../../backend/modules/charges/charges.api.js';
import { open, Refusal } from '../../../spec/screen.js';
import { PaymentPage } from './payment-page.js';

const charge: Shown = {
  ...{ personal: 'Bruna Dias', primeiro_nome: 'Ana', descricao: 'Pacote', valor: 75_000, falta: 75_000 },
  ...{ vencimento: '2030-11-04', situacao: 'aberta', avisada: false },
  pix: { codigo: '00020126580014br.gov.bcb.pix', qr: '<svg/>' },
};

it('keeps the Pix code if the charge cannot be read again', async () => {
  let reads = 0;
  const answer = () => {
    reads += 1;
    return reads === 1 ? charge : new Refusal(503, { code: 'busy', title: 'Tente de novo' });
  };
  open(<PaymentPage />, {
    answers: { 'GET /pay/secret': answer },
    at: '/pagar/secret',
    path: '/pagar/:token',
  });
  await screen.findByText(charge.pix!.codigo);
  // The payer returns from the bank's app, and there is no network.
  act(() => onlineManager.setOnline(false));
  act(() => onlineManager.setOnline(true));
  await waitFor(() => expect(reads).toBe(2));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.queryByText(charge.pix!.codigo)).not.toBeNull();
});
