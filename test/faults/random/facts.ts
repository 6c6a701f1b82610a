/** The state at the beginning of every random history. */

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 2, 2, 12);
/** `valor` in cents. */
export const PLANS = [
  { valor: 10_001, creditos: 3, validade_dias: 1 },
  { valor: 5_001, creditos: 2, validade_dias: null },
  { valor: 9_000, creditos: 0, validade_dias: null },
];
/** The park's cancellation policy. */
export const PARK = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
export const ELSEWHERE = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };
/** Percent of a receita: imposto, reserva, operacional, retirada. */
export const SHARES = [10, 20, 30, 40];
