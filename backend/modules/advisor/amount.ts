import { plain } from './text.js';

const AMOUNT =
  /(r\$\s*)?(?<![\d/:])(\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,8}(?:[.,]\d{1,2})?)(?![\d/:]|\s*(?:h\b|hs\b|horas?\b|%|por cento|aulas?\b|sess|creditos?\b|alunos?\b|mes(?:es)?\b|dias?\b|min))\s*(mil\b|k\b|reais\b|real\b|pila|conto|pratas?)?/g;

/** A bare number that is more likely a year, or follows a word for a date. */
const isDate = (before: string, digits: string): boolean =>
  /(?:\bdia|\bem|\bdesde|\bultimos|\bas|\bano(?: de)?|\bmes)\s*$/.test(before) && /^\d{1,4}$/.test(digits);
const MONTH_BEFORE =
  /(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?: de)?\s*$/;

/** The first amount of a text in cents: `R$ 1.234,56`, `200`, `200 reais`, `1,5 mil`; undefined where there is none. */
export function amountIn(text: string): number | undefined {
  const words = plain(text);
  for (const match of words.matchAll(AMOUNT)) {
    const [, sign, digits, unit] = match;
    const before = words.slice(0, match.index);
    if (
      !sign &&
      !unit &&
      (isDate(before, digits!) || (MONTH_BEFORE.test(before) && /^\d{2,4}$/.test(digits!)))
    )
      continue;
    const cents = centsOf(digits!, unit === 'mil' || unit === 'k');
    if (cents > 0) return cents;
  }
  return undefined;
}

function centsOf(digits: string, thousands: boolean): number {
  const isGrouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(digits);
  const decimal = (isGrouped ? digits.replaceAll('.', '') : digits).replace(',', '.');
  return Math.round(Number(decimal) * (thousands ? 100_000 : 100));
}

/** The first percentage of a text. */
export function percentIn(text: string): number | undefined {
  const [, digits] = /(\d{1,3}(?:,\d{1,2})?)\s*(?:%|por cento)/.exec(plain(text)) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}
