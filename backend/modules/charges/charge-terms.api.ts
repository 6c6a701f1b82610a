import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { cents, created, rule, undoable } from '../../platform/http/common.api.js';

/** The law's ceilings (Código de Defesa do Consumidor, art. 52, § 1º, and Código Civil, art. 406), in hundredths of a percent. */
const MOST_FINE = 200;
const MOST_INTEREST = 100;

const share = (most: number, message: string) =>
  z.int(message).check(z.minimum(0, message), z.maximum(most, message));
const days = share(30, 'Use de 0 a 30 dias');

/**
 * `multa`: once, `juros`: a month, by the day, both hundredths of a percent of what is overdue. `carencia_dias`: days after the due date
 * within which neither is asked for. `desconto_valor` (cents) or `desconto_percentual` (hundredths of a percent): for who pays all that
 * is left up to so many days before the due date.
 */
const fields = {
  multa: share(MOST_FINE, 'A lei permite multa de até 2%'),
  juros: share(MOST_INTEREST, 'A lei permite juros de até 1% ao mês'),
  carencia_dias: days,
  desconto_valor: cents,
  desconto_percentual: share(9_000, 'Use um desconto de até 90%'),
  desconto_dias: days,
};

export const chargeTerms = z.object(fields);
/** What a charge gains after its due date and loses before it. */
export type ChargeTerms = z.infer<typeof chargeTerms>;

export const noTerms: ChargeTerms = {
  multa: 0,
  juros: 0,
  carencia_dias: 0,
  desconto_valor: 0,
  desconto_percentual: 0,
  desconto_dias: 0,
};

const oneDiscount = rule<Pick<ChargeTerms, 'desconto_valor' | 'desconto_percentual'>>(
  ({ desconto_valor, desconto_percentual }) => desconto_valor === 0 || desconto_percentual === 0,
  'Escolha desconto em reais ou em porcentagem',
  ['desconto_percentual'],
);
export const chargeTermsChange = z.strictObject(undoable(fields)).check(oneDiscount);
export type ChargeTermsChange = z.infer<typeof chargeTermsChange>;

export const chargeTermsApi = {
  show: get('/charge-terms', {
    summary: 'Mostra multa, juros e desconto das cobranças novas',
    answer: chargeTerms,
  }),
  set: put('/charge-terms', {
    summary: 'Define multa, juros e desconto das cobranças novas',
    body: chargeTermsChange,
    answer: created,
  }),
};

/** An open charge: what is left of its amount, and what was paid of it. */
export interface OpenCharge {
  falta: number;
  vencimento: string;
  /** Null: it changes neither before nor after its due date. */
  termos: ChargeTerms | null;
  pagamentos: readonly OpenPayment[];
}

interface OpenPayment {
  valor: number;
  data: string;
  estornado?: boolean;
  /** What the payment was besides the amount, as long as it stands though another one was undone. */
  multa?: number | undefined;
  juros?: number | undefined;
  desconto?: number | undefined;
}

/** What pays a charge on a day: `total` is what is left with fine and interest, or without the discount. */
export const owed = z.object({ multa: z.int(), juros: z.int(), desconto: z.int(), total: z.int() });
export type Owed = z.infer<typeof owed>;

const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
/** Half a cent is rounded up; both are whole and not negative. */
const rounded = (sum: number, by: number) => Math.floor((2 * sum + by) / (2 * by));

/**
 * What pays a charge on a day. Partial payments pay its amount: the fine is asked of what was open when the days of grace were over, the
 * interest of each cent from the due date to the day on which it was paid, a thirtieth of the month's rate a day. What standing payments
 * have paid or got of these is not asked for, or given, again.
 */
export function owedOn({ falta, vencimento, termos, pagamentos }: OpenCharge, dia: string): Owed {
  const plain = { multa: 0, juros: 0, desconto: 0, total: falta };
  if (!termos || falta <= 0) return plain;
  const due = dayNumber(vencimento);
  const late = dayNumber(dia) - due;
  const standing = pagamentos.filter(({ estornado }) => !estornado);
  const had = (part: 'multa' | 'juros' | 'desconto') =>
    standing.reduce((sum, payment) => sum + (payment[part] ?? 0), 0);
  if (late <= termos.carencia_dias) {
    if (-late < termos.desconto_dias) return plain;
    const wanted = termos.desconto_valor
      ? Math.max(termos.desconto_valor - had('desconto'), 0)
      : rounded(falta * termos.desconto_percentual, 10_000);
    // Of a charge that is no more than that, such as the share of a month, nothing would be left.
    const desconto = wanted < falta ? wanted : 0;
    return { ...plain, desconto, total: falta - desconto };
  }
  const paid = standing.map(({ valor, data, multa = 0, juros = 0 }) => ({
    valor: valor - multa - juros,
    late: Math.min(dayNumber(data) - due, late),
  }));
  const open = paid.reduce((sum, one) => sum + (one.late > termos.carencia_dias ? one.valor : 0), falta);
  const centDays = paid.reduce((sum, one) => sum + one.valor * Math.max(one.late, 0), falta * late);
  const multa = Math.max(rounded(open * termos.multa, 10_000) - had('multa'), 0);
  const juros = Math.max(rounded(centDays * termos.juros, 300_000) - had('juros'), 0);
  return { multa, juros, desconto: 0, total: falta + multa + juros };
}

/** Of the charge of a booking: what is left of the part that is asked first; null if that is paid, or there is none. */
export const firstAsked = ({ entrada, pago }: { entrada: number | null; pago: number }): number | null =>
  entrada !== null && pago < entrada ? entrada - pago : null;

/** The parts of a payment; `dispensado`: fine and interest that were not asked for. */
export interface PaymentParts {
  multa: number;
  juros: number;
  desconto: number;
  dispensado: number;
}

/**
 * What a payment makes of a charge: it is settled by all that was left, with or without fine and interest, or with the discount. Less
 * than that pays a part of the amount. Of more than the amount, the interest is paid first.
 */
export function partsOf(valor: number, falta: number, owed: Owed): PaymentParts & { falta: number } {
  const none = { multa: 0, juros: 0, desconto: 0, dispensado: 0 };
  if (valor < falta - owed.desconto) return { ...none, falta: falta - valor };
  const over = Math.max(valor - falta, 0);
  const juros = Math.min(over, owed.juros);
  const multa = over - juros;
  const dispensado = owed.multa + owed.juros - over;
  return { multa, juros, desconto: Math.max(falta - valor, 0), dispensado, falta: 0 };
}

/** What stays of a payment's fine and interest after a refund, which gives these back first, the fine before the interest. A discount is over. */
export function keptParts(
  { multa = 0, juros = 0 }: Partial<PaymentParts>,
  refunded: number,
): Pick<PaymentParts, 'multa' | 'juros' | 'desconto'> {
  const kept = Math.max(multa + juros - refunded, 0);
  return { multa: Math.max(kept - juros, 0), juros: Math.min(juros, kept), desconto: 0 };
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const money = (amount: number) => reais.format(amount / 100);

/** `R$ 150,00 + multa R$ 3,00 + juros R$ 0,75 = R$ 153,75`; nothing where the day changes nothing. */
export function sumInWords(falta: number, { multa, juros, desconto, total }: Owed): string {
  if (total === falta) return '';
  const parts = [
    money(falta),
    ...(multa > 0 ? [`+ multa ${money(multa)}`] : []),
    ...(juros > 0 ? [`+ juros ${money(juros)}`] : []),
    ...(desconto > 0 ? [`\u2212 desconto ${money(desconto)}`] : []),
  ];
  return `${parts.join(' ')} = ${money(total)}`;
}

/** That of today, as a sentence after others. */
export function owedInWords(falta: number, owed: Owed): string {
  const sum = sumInWords(falta, owed);
  return sum && ` Hoje: ${sum}.`;
}
