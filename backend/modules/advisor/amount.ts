import { MONTHS, NUMBERS } from './lexicon.js';
import { plain } from './text.js';

const AMOUNT =
  /(r\$\s*)?(?<![\d/:]|\d[.,]|\dh)(\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,8}(?:[.,]\d{1,2})?)(?![\d/:]|[.,]\d|\s*(?:h(?:\b|\d)|hs\b|horas?\b|%|por cento|aulas?\b|sess|creditos?|x\b|vezes\b|parcelas?\b\b|alunos?\b|mes(?:es)?\b|semanas?\b|dias?\b(?!\s*\d)|min))(?:(?:\s*(mil|reais|real|pilas?|contos?|pratas?|paus?)|(k))\b)?/g;

/** Whether a plain number is part of a date: it looks like a year, or follows a word for a date. */
const isDate = (before: string, digits: string): boolean =>
  (/(?:\bdia|\bem|\bdesde|\bultimos|\bas|\bano(?: de)?|\bmes)\s*$/.test(before) &&
    /^\d{1,4}$/.test(digits)) ||
  (/\bd[eo]\s*$/.test(before) && /^20[23]\d$/.test(digits)) ||
  (MONTH_BEFORE.test(before) && /^\d{2,4}$/.test(digits));
const MONTH_BEFORE = new RegExp(`(?:${MONTHS.join('|')})(?: de)?\\s*$`);

const ONE = `(?:mil|${[...NUMBERS.keys()].join('|')})`;
const IN_WORDS = new RegExp(
  `(?<!\\d *)\\b${ONE}(?: (?:e )?${ONE})*\\b(?=( reais| real| pilas?| contos?| paus?| por cento)?)`,
  'g',
);

/**
 * Replaces "duzentos e cinquenta" by "250". Small numbers only with a unit, since they mostly count other things than money;
 * words that are no number together, such as "vinte trinta", stay.
 */
const inDigits = (words: string): string =>
  words.replace(IN_WORDS, (said, unit?: string) => {
    let [whole, part, least] = [0, 0, 1000];
    for (const word of said.split(' ').filter((each) => each !== 'e')) {
      const value = NUMBERS.get(word);
      // Each part is smaller than the one before it.
      if (value === undefined ? whole > 0 : value >= least) return said;
      if (value === undefined) [whole, part, least] = [Math.max(1, part) * 1000, 0, 1000];
      else [part, least] = [part + value, value >= 100 ? 100 : value >= 20 ? 10 : 1];
    }
    return unit || whole + part >= 20 ? String(whole + part) : said;
  });

/** The amounts in a plain text, in cents, and the text with `VALOR` in their places. */
export function amountsSaid(text: string): { amounts: number[]; rest: string } {
  const words = inDigits(text);
  const amounts: number[] = [];
  let [rest, from] = ['', 0];
  for (const { 0: said, 1: sign, 2: digits, 3: unit, 4: kilo, index } of words.matchAll(AMOUNT)) {
    const cents = centsOf(digits!, unit === 'mil' || kilo !== undefined);
    const isAmount = sign ?? unit ?? kilo ?? !isDate(words.slice(0, index), digits!);
    if (cents === 0 || !isAmount) continue;
    amounts.push(cents);
    rest += `${words.slice(from, index)}VALOR`;
    from = index + said.length;
  }
  return { amounts, rest: rest + words.slice(from) };
}

/** All amounts in a text, in cents: `R$ 1.234,56`, `200`, `200 reais`, `1,5 mil`, `duzentos`. */
export const amountsIn = (text: string): number[] => amountsSaid(plain(text)).amounts;

function centsOf(digits: string, thousands: boolean): number {
  const isGrouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(digits);
  const decimal = (isGrouped ? digits.replaceAll('.', '') : digits).replace(',', '.');
  return Math.round(Number(decimal) * (thousands ? 100_000 : 100));
}

/** The first percentage of a text. */
export function percentIn(text: string): number | undefined {
  const [, digits] = /(\d{1,3}(?:[.,]\d{1,2})?)\s*(?:%|por cento)/.exec(inDigits(plain(text))) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}
