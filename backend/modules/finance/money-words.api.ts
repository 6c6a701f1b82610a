import type { ExpenseCategory, PaymentMethod } from './finance.api.js';

export const methodNames: Record<PaymentMethod, string> = {
  pix: 'Pix',
  cartao_credito: 'Cartão',
  dinheiro: 'Dinheiro',
};

export const categoryNames: Record<ExpenseCategory, string> = {
  aluguel: 'Aluguel',
  academia: 'Taxa de academia',
  transporte: 'Transporte',
  equipamentos: 'Equipamentos',
  cursos: 'Cursos',
  divulgacao: 'Divulgação',
  impostos: 'Impostos',
  outros: 'Outros',
};
