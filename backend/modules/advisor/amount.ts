import { plain } from './text.js';

const AMOUNT =
  /(r\$\s*)?(?<![\d/:]|\d[.,]|\dh)(\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,8}(?:[.,]\d{1,2})?)(?![\d/:]|[.,]\d|\s*(?:h(?:\b|\d)|hs\b|horas?\b|%|por cento|aulas?\b|sess|creditos?|x\b|vezes\b|parcelas?\b\b|alunos?\b|mes(?:es)?\b|semanas?\b|dias?\b(?!\s*\d)|min))\s*(mil\b|k\b|reais\b|real\b|pila|conto|pratas?)?/g;

/** Whether a plain number is part of a date: it looks like a year, or follows a word for a date. */
const isDate = (before: string, digits: string): boolean =>
  (/(?:\bdia|\bem|\bdesde|\bultimos|\bas|\bano(?: de)?|\bmes)\s*$/.test(before) &&
    /^\d{1,4}$/.test(digits)) ||
  (/\bd[eo]\s*$/.test(before) && /^20[23]\d$/.test(digits));
const MONTH_BEFORE =
  /(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?: de)?\s*$/;

const NUMBERS: Readonly<Record<string, number>> = {
  ...{
    um: 1,
    uma: 1,
    dois: 2,
    duas: 2,
    tres: 3,
    quatro: 4,
    cinco: 5,
    seis: 6,
    sete: 7,
    oito: 8,
    nove: 9,
    dez: 10,
  },
  ...{ onze: 11, doze: 12, treze: 13, quatorze: 14, catorze: 14, quinze: 15, dezesseis: 16, dezessete: 17 },
  ...{
    dezoito: 18,
    dezenove: 19,
    vinte: 20,
    trinta: 30,
    quarenta: 40,
    cinquenta: 50,
    sessenta: 60,
    setenta: 70,
  },
  ...{ oitenta: 80, noventa: 90, cem: 100, cento: 100, duzentos: 200, trezentos: 300, quatrocentos: 400 },
  ...{ quinhentos: 500, seiscentos: 600, setecentos: 700, oitocentos: 800, novecentos: 900 },
};
export const numberWords: readonly string[] = Object.keys(NUMBERS);
const ONE = `(?:mil|${numberWords.join('|')})`;
const IN_WORDS = new RegExp(
  `(?<!\\d *)\\b${ONE}(?: (?:e )?${ONE})*\\b(?=( reais| real| pilas?| contos?| por cento)?)`,
  'g',
);

/** Replaces "duzentos e cinquenta" by "250". Small numbers only with a unit, since they mostly count other things than money. */
const inDigits = (words: string): string =>
  words.replace(IN_WORDS, (said, unit?: string) => {
    let [whole, part] = [0, 0];
    for (const word of said.split(' ')) {
      if (word === 'mil') [whole, part] = [whole + Math.max(1, part) * 1000, 0];
      else part += NUMBERS[word] ?? 0;
    }
    return unit || whole + part >= 20 ? String(whole + part) : said;
  });

/** The first amount in a text, in cents: `R$ 1.234,56`, `200`, `200 reais`, `1,5 mil`, `duzentos`; undefined if there is none. */
export const amountIn = (text: string): number | undefined => amountsIn(text)[0];

/** All amounts in a text, in cents. */
export function amountsIn(text: string): number[] {
  const words = inDigits(plain(text));
  const amounts: number[] = [];
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
    if (cents > 0) amounts.push(cents);
  }
  return amounts;
}

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
