import { plain } from './text.js';

const LONGEST_ANSWER = 2_000;

/**
 * A text of the model in a form that may be shown: with normalised letters, without invisible characters and Markdown;
 * undefined if it is empty or too long.
 */
export function plainAnswer(text: string): string | undefined {
  if (text.length > LONGEST_ANSWER * 2) return undefined;
  const clean = text
    .normalize('NFKC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[*_`#~]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' || clean.length > LONGEST_ANSWER ? undefined : clean;
}

/** Numerals; without "um" and "uma", which are articles too. */
const AMOUNTS = [
  'zero dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis dezessete',
  'dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento centos centas duzentos',
  'duzentas trezentos trezentas quatrocentos quatrocentas quinhentos quinhentas seiscentos seiscentas setecentos',
  'setecentas oitocentos oitocentas novecentos novecentas mil milhar milhares milhao milhoes bilhao bilhoes trilhao',
  'trilhoes dezena dezenas duzia duzias centena centenas metade dobro triplo quadruplo terco tercos reais centavo centavos',
  'two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety',
  'hundred hundreds thousand thousands million millions half double triple',
].flatMap((line) => line.split(' '));

/** One numeral, or several written as one word. */
const AMOUNT = new RegExp(`^(?:e?(?:${AMOUNTS.join('|')}))+$`);

/** Claims to have done something, which the model cannot do. */
const CLAIM =
  /\b(registrei|lancei|anotei|salvei|cobrei|emiti|agendei|marquei|desmarquei|cancelei|apaguei|exclui|alterei|enviei|mandei|paguei|transferi|dei baixa)\b/;

/**
 * Whether a text contains nothing that needs a fact: no number in digits or words, no currency and no percentage; and no links,
 * claims or characters that could mislead.
 */
export function isBacked(text: string): boolean {
  if (/[\p{N}\p{Sc}%‰{}<>@\\|]/u.test(text)) return false;
  if (
    /\b(?:https?|ftp|file|data|javascript|mailto|tel):|www\.|\/\/|\]\(|\p{L}\.\p{L}/iu.test(text) ||
    CLAIM.test(plain(text))
  )
    return false;
  const words = plain(text).match(/\p{L}+/gu) ?? [];
  return words.every((word) => /^[a-z]+$/.test(word) && !AMOUNT.test(word));
}
