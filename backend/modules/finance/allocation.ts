import type { AllocationKind } from './finance.api.js';

/** Share of a receita for each purpose, in whole percent; the shares total 100. */
export type Shares = Readonly<Record<AllocationKind, number>>;

export interface Allocation {
  tipo: AllocationKind;
  /** Cents. */
  valor: number;
}

/**
 * Divides an amount of cents by the largest remainder method, so that the parts add up exactly: each share is rounded
 * down, and the remaining cents go one each to the largest remainders, the first of equal ones first.
 */
export function allocate(valor: number, shares: Shares): Allocation[] {
  const parts = Object.entries(shares).map(([tipo, share]) => ({
    tipo: tipo as AllocationKind,
    valor: Math.floor((valor * share) / 100),
    remainder: (valor * share) % 100,
  }));
  const left = valor - parts.reduce((sum, part) => sum + part.valor, 0);
  for (const part of parts.toSorted((a, b) => b.remainder - a.remainder).slice(0, left)) part.valor += 1;
  return parts.map(({ tipo, valor }) => ({ tipo, valor }));
}
