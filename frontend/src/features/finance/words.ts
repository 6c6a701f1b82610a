import type {
  AllocationKind,
  PaymentMethod,
  Transaction,
} from '../../../../backend/modules/finance/finance.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import type { IconName } from '../../ui/icon.js';

export const methods: Record<PaymentMethod, { label: string; icon: IconName }> = {
  pix: { label: methodNames.pix, icon: 'pix' },
  cartao_credito: { label: methodNames.cartao_credito, icon: 'card' },
  dinheiro: { label: methodNames.dinheiro, icon: 'coins' },
};

export const allocationNames: Record<AllocationKind, string> = {
  imposto: 'Imposto',
  reserva: 'Reserva',
  operacional: 'Operacional',
  retirada: 'Retirada',
};

export const kindNames = { receita: 'Receita', despesa: 'Despesa' } as const;

export const percent = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** A transaction's amount with its sign: negative for a despesa, and opposite for a reversal. */
export const signedAmount = ({ tipo, valor }: Transaction): number => (tipo === 'despesa' ? -valor : valor);

export const titleOf = ({ descricao, estorno_de, aluno }: Transaction): string =>
  `${estorno_de ? 'Estorno: ' : ''}${aluno ? `${firstName(aluno)} · ` : ''}${descricao ?? 'Sem descrição'}`;

/** From January on. */
export const monthNames = [
  'Janeiro',
  'Fevereiro',
  'Março',
  'Abril',
  'Maio',
  'Junho',
  'Julho',
  'Agosto',
  'Setembro',
  'Outubro',
  'Novembro',
  'Dezembro',
];
