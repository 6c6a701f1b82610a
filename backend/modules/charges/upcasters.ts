import { monthAfter } from '../../platform/local-time.js';

/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** The trainer cancelled it: none was cancelled with its session. */
  ChargeCancelled: { 1: (data: object) => ({ ...data, com_sessao: null }) },
  /** There were no terms: what was paid was of the amount alone. */
  ChargeIssued: { 1: (data: object) => ({ ...data, termos: null }) },
  ChargePaid: { 1: (data: object) => ({ ...data, multa: 0, juros: 0, desconto: 0, dispensado: 0 }) },
  ChargePaymentReversed: { 1: (data: object) => ({ ...data, acrescimo: 0 }) },
  /** Which of the credits had expired was not recorded. */
  ChargeRefunded: { 1: (data: object) => ({ ...data, creditos_expirados: 0 }) },
  /** All plans were billed each month. */
  MonthlyPlanBilled: {
    1: (data: { mes: string }) => ({ ...data, proximo_mes: monthAfter(data.mes) }),
  },
  /** Its payment had no id, and was never found to be one that had been recorded by hand. */
  PixArrived: {
    1: (data: object) => ({ ...data, payment_id: null, ja_registrado: false }),
    // It named one charge at most.
    2: (data: object) => ({ ...data, partes: [] }),
  },
};
