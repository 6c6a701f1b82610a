import { addMonths, format, parseISO } from 'date-fns';
import { MONTHS, NUMBERS } from './lexicon.js';
import type { Word } from './text.js';

/** A range of whole months, such as 2026-03 to 2026-05. */
export interface Period {
  de: string;
  ate: string;
}

const shift = (month: string, by: number): string =>
  format(addMonths(parseISO(`${month}-01`), by), 'yyyy-MM');
const single = (month: string): Period => ({ de: month, ate: month });

/** All months of a period, in order. */
export function monthsOf({ de, ate }: Period): string[] {
  const months: string[] = [];
  for (let month = de; month <= ate; month = shift(month, 1)) months.push(month);
  return months;
}

interface Mention {
  /** Index of its first and last word. */
  from: number;
  to: number;
  period: Period;
}

/**
 * The periods in a text, in order. A month without a year is the last one with that name, or with `ahead` the next one. With
 * `apart`, "entre setembro e outubro" is two periods.
 */
export function periodsOf(
  words: readonly Word[],
  today: string,
  { ahead = false, apart = false } = {},
): Period[] {
  const current = today.slice(0, 7);
  const texts = words.map((word) => (word.month?.isStudent ? '' : word.plain));
  const mentions: Mention[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const found = mentionAt(texts, at, current, ahead);
    if (!found) continue;
    mentions.push(found);
    at = found.to;
  }
  return joined(mentions, texts, { current, ahead, apart });
}

/** "até o fim do", "até", "no resto do": from now on. */
const REST = /\b(ate( (o|a))?( (fim|final))?|resto|restante)( (do|de|este|esse))?$/;

/** "de março a maio", "entre março e maio", "março até maio" are one period, as is "desde março"; "março e abril" are two. */
function joined(
  mentions: readonly Mention[],
  texts: readonly string[],
  { current, ahead, apart }: { current: string; ahead: boolean; apart: boolean },
): Period[] {
  const periods: Period[] = [];
  for (let n = 0; n < mentions.length; n += 1) {
    const [one, next] = [mentions[n]!, mentions[n + 1]];
    const between = next ? texts.slice(one.to + 1, next.from).join(' ') : '';
    const before = texts[one.from - 1];
    const spans =
      /^(a|ao|ate( (o|a))?( (fim|final))?( (do|de))?)$/.test(between) ||
      (before === 'entre' && between === 'e' && !apart) ||
      between === 'ate este';
    if (!next || !spans) {
      const isRest = ahead && REST.test(texts.slice(0, one.from).join(' ')) && one.period.ate >= current;
      const isSince = before === 'desde' || (before === 'o' && texts[one.from - 2] === 'desde');
      const isUntil = before === 'ate' || (/^[oa]$/.test(before ?? '') && texts[one.from - 2] === 'ate');
      if (isUntil && !ahead && one.period.de === one.period.ate)
        periods.push({ de: `${one.period.ate.slice(0, 4)}-01`, ate: one.period.ate });
      else if (isSince && one.period.de <= current) periods.push({ de: one.period.de, ate: current });
      else periods.push(isRest ? { de: current, ate: one.period.ate } : one.period);
      continue;
    }
    // "de novembro a fevereiro" begins in the previous year.
    const de = one.period.de <= next.period.ate ? one.period.de : shift(one.period.de, -12);
    periods.push({ de, ate: next.period.ate });
    n += 1;
  }
  return periods;
}

function mentionAt(
  texts: readonly string[],
  at: number,
  current: string,
  ahead: boolean,
): Mention | undefined {
  return (
    relativeMonth(texts, at, current) ??
    lastMonths(texts, at, current) ??
    namedMonth(texts, at, current, ahead) ??
    partOfYear(texts, at, current, ahead) ??
    wholeYear(texts, at, current, ahead)
  );
}

function relativeMonth(texts: readonly string[], at: number, current: string): Mention | undefined {
  const [one, two, three] = texts.slice(at, at + 3);
  const found = (length: number, by: number): Mention => ({
    from: at,
    to: at + length - 1,
    period: single(shift(current, by)),
  });
  const isMonth = (text: string | undefined) => text === 'mes';
  if (isMonth(one) && (two === 'passado' || two === 'anterior')) return found(2, -1);
  // "Este mês está melhor que o passado?"
  const isOther = one === 'o' && (two === 'passado' || two === 'anterior');
  if (isOther && texts.slice(0, at).includes('mes')) return found(2, -1);
  if (isMonth(one) && two === 'retrasado') return found(2, -2);
  if (isMonth(one) && two === 'que' && three === 'vem') return found(3, 1);
  if (isMonth(one) && (two === 'atual' || two === 'corrente')) return found(2, 0);
  if (one === 'ultimo' && isMonth(two)) return found(2, -1);
  if (one === 'proximo' && isMonth(two)) return found(2, 1);
  if ((one === 'este' || one === 'esse') && isMonth(two)) return found(2, 0);
  if ((one === 'no' || one === 'do') && isMonth(two)) {
    if (
      three === undefined ||
      !['passado', 'anterior', 'retrasado', 'que', 'atual', 'corrente', 'de'].includes(three)
    )
      return found(2, 0);
  }
  return undefined;
}

function lastMonths(texts: readonly string[], at: number, current: string): Mention | undefined {
  const count = Number(NUMBERS.get(texts[at + 1] ?? '') ?? texts[at + 1]);
  if (texts[at] !== 'ultimos' || texts[at + 2] !== 'meses' || !(count >= 1 && count <= 24)) return undefined;
  return { from: at, to: at + 2, period: { de: shift(current, 1 - count), ate: current } };
}

const yearOf = (text: string | undefined): number | undefined => {
  if (/^20\d\d$/.test(text ?? '')) return Number(text);
  return /^[23]\d$/.test(text ?? '') ? 2000 + Number(text) : undefined;
};

function namedMonth(
  texts: readonly string[],
  at: number,
  current: string,
  ahead: boolean,
): Mention | undefined {
  const one = texts[at]!;
  const index = MONTHS.findIndex((name) => name === one || name.slice(0, 3) === one);
  const isNumber = /^(0?[1-9]|1[0-2])$/.test(one) && /^20\d\d$/.test(texts[at + 1] ?? '');
  if ((index < 0 && !isNumber) || (one === 'dez' && /^(reais|real|mil|por)$/.test(texts[at + 1] ?? '')))
    return undefined;
  const number = String(index < 0 ? Number(one) : index + 1).padStart(2, '0');
  const skip = ['de', 'do', 'em'].includes(texts[at + 1] ?? '') ? 2 : 1;
  const year = yearOf(texts[at + skip]);
  if (year !== undefined) return { from: at, to: at + skip, period: single(`${year}-${number}`) };
  if (skip === 2 && texts[at + 2] === 'ano' && texts[at + 3] === 'passado')
    return { from: at, to: at + 3, period: single(`${Number(current.slice(0, 4)) - 1}-${number}`) };
  const own = `${current.slice(0, 4)}-${number}`;
  if (['este', 'esse'].includes(texts[at + 1] ?? '') && texts[at + 2] === 'ano')
    return { from: at, to: at + 2, period: single(own) };
  const by = ahead ? (own < current ? 12 : 0) : own > current ? -12 : 0;
  return { from: at, to: at, period: single(shift(own, by)) };
}

const ORDINALS: Readonly<Record<string, number>> = {
  ...{ primeiro: 1, segundo: 2, terceiro: 3, quarto: 4 },
  ...{ '1 º': 1, '2 º': 2, '3 º': 3, '4 º': 4, '1 o': 1, '2 o': 2, '3 o': 3, '4 o': 4 },
};

/** "Segundo trimestre", "primeiro semestre de 2025"; by default of this year. */
function ordinalPart(
  texts: readonly string[],
  at: number,
  { ordinal, size, current }: { ordinal: number; size: number; current: string },
): Mention {
  const skip = ['de', 'do'].includes(texts[at + 1] ?? '') ? 2 : 1;
  const said = yearOf(texts[at + skip]);
  const de = shift(`${said ?? current.slice(0, 4)}-01`, (ordinal - 1) * size);
  return { from: at, to: said === undefined ? at : at + skip, period: { de, ate: shift(de, size - 1) } };
}

/** Months of a quarter and a half-year. A map, because "constructor" is a property of every object. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ['trimestre', 3],
  ['semestre', 6],
]);

/** A calendar quarter or half-year; the current one ends with this month, unless the question is about the future. */
function partOfYear(
  texts: readonly string[],
  at: number,
  current: string,
  ahead: boolean,
): Mention | undefined {
  const size = SIZES.get(texts[at] ?? '');
  if (size === undefined) return undefined;
  const ordinal = ORDINALS[texts[at - 1] ?? ''] ?? ORDINALS[texts.slice(at - 2, at).join(' ')];
  if (ordinal !== undefined && ordinal * size <= 12)
    return ordinalPart(texts, at, { ordinal, size, current });
  const isPast = ['passado', 'anterior'].includes(texts[at + 1] ?? '') || texts[at - 1] === 'ultimo';
  const begun = shift(current, -((Number(current.slice(5)) - 1) % size));
  const de = isPast ? shift(begun, -size) : begun;
  const to = at + (['passado', 'anterior'].includes(texts[at + 1] ?? '') ? 1 : 0);
  const ate = shift(de, size - 1);
  return { from: at, to, period: { de, ate: ate > current && de <= current && !ahead ? current : ate } };
}

/** A whole year; the current one ends with this month, unless the question is about the future. */
function wholeYear(
  texts: readonly string[],
  at: number,
  current: string,
  ahead: boolean,
): Mention | undefined {
  const now = Number(current.slice(0, 4));
  const [one, two, three] = texts.slice(at, at + 3);
  const found = (year: number, length: number): Mention => {
    const ate = year === now && !ahead ? current : `${year}-12`;
    return { from: at, to: at + length - 1, period: { de: `${year}-01`, ate } };
  };
  if (one === 'ano') {
    if (two === 'passado' || two === 'anterior') return found(now - 1, 2);
    if (two === 'que' && three === 'vem') return found(now + 1, 3);
    const [length, year] = two === 'de' || two === 'do' ? [3, three] : [2, two];
    if (/^20\d\d$/.test(year ?? '')) return found(Number(year), length);
    return found(texts[at - 1] === 'ultimo' ? now - 1 : texts[at - 1] === 'proximo' ? now + 1 : now, 1);
  }
  return /^20\d\d$/.test(one ?? '') ? found(Number(one), 1) : undefined;
}
