import type { PaymentMethod } from '../../../../backend/modules/finance/finance.api.js';

export const methods: Record<PaymentMethod, string> = {
  pix: 'Pix',
  cartao_credito: 'Cartão',
  dinheiro: 'Dinheiro',
};
