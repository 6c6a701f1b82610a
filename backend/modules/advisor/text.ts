import { SHORT } from './lexicon.js';

/** Letters of other scripts, each before the Latin one that it looks like. */
const LOOKS_LIKE = new Map(
  (
    'АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԚQ ԜW аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx һh ԁd ԛq ԝw ӏl ' +
    'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw ϲc ϳj ıi ɑa ɡg łl ŁL øo ØO đd'
  )
    .split(' ')
    .map(([other, latin]) => [other!, latin!]),
);
const OTHER_LETTERS = new RegExp(`[${[...LOOKS_LIKE.keys()].join('')}]`, 'g');

/**
 * A text as it is read by people: without characters that are not seen, and with letters that look like usual ones, such as
 * full-width and Cyrillic ones, as these.
 */
export const seen = (text: string): string =>
  text
    .replace(/[\p{DI}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(OTHER_LETTERS, (letter) => LOOKS_LIKE.get(letter)!);

/** A text in lower case without accents, so that "Março" and "marco" are equal. */
export const plain = (text: string): string =>
  seen(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A word in `plain` form, with an abbreviation written out and letters that are held ("quantooo", but not "kkk") once. */
export const spelled = (typed: string): string => {
  const word = plain(typed);
  return SHORT.get(word) ?? word.replace(/(?<=\p{L})(\p{L})\1{2,}|(\p{L})\2{2,}(?=\p{L})/gu, '$1$2');
};

export interface Word {
  /** As it was typed. */
  typed: string;
  /** In lower case without accents, written out, with typing errors corrected. */
  plain: string;
  isKnown: boolean;
  /** Set for a month's name that is also a student's: what it is read as, and whether it may be the other as well. */
  month?: { isStudent: boolean; isSure: boolean };
}

export const WORDS = /[\p{L}\p{M}]+|\d+/gu;

/** A word in `plain` form; a month that is read as a student's name is left out. */
const written = ({ plain: word, month }: Word): string => (month?.isStudent ? '_' : word);

/** A text with its words written out, and everything between them unchanged. */
export function writtenOut(text: string, words: readonly Word[]): string {
  let at = 0;
  return text.replace(WORDS, () => written(words[at++]!));
}

/** Where the words begin in the text as it is written out. */
export function placesOf(text: string, words: readonly Word[]): number[] {
  let longer = 0;
  return [...text.matchAll(WORDS)].map(({ 0: typed, index }, at) => {
    const place = index + longer;
    longer += written(words[at]!).length - typed.length;
    return place;
  });
}

/** A text without some of its words. */
export function withoutWords(text: string, isGone: (at: number) => boolean): string {
  let at = 0;
  return text.replace(WORDS, (typed) => (isGone(at++) ? '' : typed));
}

/** The words of a text; typing errors are corrected to a similar known word. `keep`: names, which are not corrected. */
export function wordsOf(text: string, known: ReadonlySet<string>, keep: ReadonlySet<string>): Word[] {
  const found = text.match(WORDS) ?? [];
  return found.map((typed) => {
    const word = plain(typed);
    const written = spelled(typed);
    if (known.has(written)) return { typed, plain: written, isKnown: true };
    const sounded = plain(typed.replace(/ç/gi, 'ss'));
    if (sounded !== word && known.has(sounded)) return { typed, plain: sounded, isKnown: true };
    if (keep.has(word) || /\d/.test(word)) return { typed, plain: word, isKnown: false };
    const mended = nearest(written, known);
    return { typed, plain: mended ?? word, isKnown: mended !== undefined };
  });
}

/** A word without double letters, to compare "pasado" and "passado". */
const undoubled = (word: string): string => word.replace(/(\p{L})\1/gu, '$1');

/** The most similar known word with at most one typing error (two in long words) and the same first letter. */
function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length < 4) return undefined;
  const bound = word.length >= 8 ? 2 : 1;
  let best: string | undefined;
  let least = bound + 1;
  for (const candidate of known) {
    if (candidate.length < 4 || candidate[0] !== word[0]) continue;
    if (Math.abs(candidate.length - word.length) > bound) continue;
    const distance = undoubled(word) === undoubled(candidate) ? 0 : slips(word, candidate);
    if (distance >= least) continue;
    [best, least] = [candidate, distance];
  }
  return best;
}

/** Edit distance: letters to add, delete, replace or swap with their neighbour to turn one word into the other. */
export function slips(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[to.length]!;
}

/** Whether the edit distance of two words is 1, in linear time. */
export function isOneSlip(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && long[at] === short[at]) at += 1;
  const [longEnd, shortEnd] = [long.slice(at), short.slice(at)];
  if (long.length > short.length) return longEnd.slice(1) === shortEnd;
  if (longEnd === '') return false;
  const isSwapped = longEnd[0] === shortEnd[1] && longEnd[1] === shortEnd[0];
  return longEnd.slice(1) === shortEnd.slice(1) || (isSwapped && longEnd.slice(2) === shortEnd.slice(2));
}
