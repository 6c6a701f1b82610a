import { addMonths, format, parseISO } from 'date-fns';
import { MONTH_NAMES, MONTHS, NUMBERS } from './lexicon.js';
import type { Word } from './text.js';

/** A range of whole months, such as 2026-03 to 2026-05. */
export interface Period {
  de: string;
  ate: string;
}

/** The month that is this many months later: `2025-12` for `2026-01` and -1. */
export const shiftMonth = (month: string, by: number): string =>
  format(addMonths(parseISO(`${month}-01`), by), 'yyyy-MM');
/** One month, or one day. */
export const single = (at: string): Period => ({ de: at, ate: at });

/** All months of a period, in order. */
export function monthsOf({ de, ate }: Period): string[] {
  const months: string[] = [];
  for (let month = de; month <= ate; month = shiftMonth(month, 1)) months.push(month);
  return months;
}

interface Reading {
  current: string;
  /** A month without a year is the next one, otherwise the last one; and what runs does not end with the current month. */
  ahead: boolean;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Find = (groups: Groups, reading: Reading, before: string) => Period | undefined;

const monthAt =
  (by: number): Find =>
  (_, { current }) =>
    single(shiftMonth(current, by));

const lastMonths: Find = ({ said }, { current }) => {
  const count = NUMBERS.get(said!) ?? Number(said);
  return count >= 1 && count <= 24 ? { de: shiftMonth(current, 1 - count), ate: current } : undefined;
};

const namedMonth: Find = ({ name, number, year, past, own }, { current, ahead }) => {
  const index = name ? MONTHS.findIndex((each) => each.startsWith(name)) + 1 : number;
  const month = String(index).padStart(2, '0');
  if (year) return single(`${year.padStart(4, '20')}-${month}`);
  const ofThisYear = `${current.slice(0, 4)}-${month}`;
  const isNext = ahead && ofThisYear < current;
  const isLast = past ?? (!ahead && ofThisYear > current);
  return single(shiftMonth(ofThisYear, own ? 0 : isLast ? -12 : isNext ? 12 : 0));
};

const sizeOf = (part: string | undefined): number => (part === 'trimestre' ? 3 : 6);
const ORDINALS = ['primeiro', 'segundo', 'terceiro', 'quarto'];

/** "Segundo trimestre", "primeiro semestre de 2025"; by default of this year. */
const ordinalPart: Find = ({ ordinal, part, year }, { current }) => {
  const [size, n] = [sizeOf(part), ORDINALS.indexOf(ordinal!) + 1 || Number(ordinal![0])];
  if (n * size > 12) return undefined;
  const de = shiftMonth(`${year?.padStart(4, '20') ?? current.slice(0, 4)}-01`, (n - 1) * size);
  return { de, ate: shiftMonth(de, size - 1) };
};

/** A calendar quarter or half-year; the current one ends with this month, unless the question is about the future. */
const partOfYear: Find = ({ part, past }, { current, ahead }, before) => {
  const size = sizeOf(part);
  const begun = shiftMonth(current, -((Number(current.slice(5)) - 1) % size));
  if (past || IS_LAST.test(before)) return { de: shiftMonth(begun, -size), ate: shiftMonth(begun, -1) };
  return { de: begun, ate: ahead ? shiftMonth(begun, size - 1) : current };
};
const IS_LAST = /(?:^| )ultimo $/;

/** A whole year; the current one ends with this month, unless the question is about the future. */
const yearAt =
  (by: number): Find =>
  ({ year }, { current, ahead }, before) => {
    const now = Number(current.slice(0, 4));
    const near = IS_LAST.test(before) ? -1 : /(?:^| )proximo $/.test(before) ? 1 : 0;
    const said = Number(year ?? now + (by || near));
    return { de: `${said}-01`, ate: said === now && !ahead ? current : `${said}-12` };
  };

const YEAR = '(?<year>20\\d\\d|[23]\\d)';
const PAST = '(?:passado|anterior)';
const EXPRESSIONS = (
  [
    [`mes ${PAST}|ultimo mes`, monthAt(-1)],
    // "Este mês está melhor que o passado?"
    [`(?<=(?:^| )mes(?: .*)? )o ${PAST}`, monthAt(-1)],
    ['mes retrasado', monthAt(-2)],
    ['mes que vem|proximo mes', monthAt(1)],
    ['mes (?:atual|corrente)|es[st]e mes', monthAt(0)],
    [`(?:no|do) mes(?! (?:${PAST}|retrasado|que|atual|corrente|de)(?: |$))`, monthAt(0)],
    ['ultimos (?<said>\\S+) meses', lastMonths],
    [
      `(?!dez (?:reais|real|mil|por)(?: |$))(?:(?<name>${MONTH_NAMES.join('|')})|(?<number>0?[1-9]|1[0-2])(?= 20\\d\\d(?: |$)))` +
        `(?: (?:(?:de|do|em) )?${YEAR}| (?:de|do|em) ano (?<past>passado)| (?:este|esse) (?<own>ano))?`,
      namedMonth,
    ],
    [
      `(?<=(?:^| )(?<ordinal>${ORDINALS.join('|')}|[1-4] o) )(?<part>trimestre|semestre)(?: (?:d[eo] )?${YEAR})?`,
      ordinalPart,
    ],
    [`(?<part>trimestre|semestre)(?: (?<past>${PAST}))?`, partOfYear],
    [`ano ${PAST}`, yearAt(-1)],
    ['ano que vem', yearAt(1)],
    ['(?:ano (?:d[eo] )?)?(?<year>20\\d\\d)|ano', yearAt(0)],
  ] satisfies [source: string, find: Find][]
).map(([source, find]) => [new RegExp(`(?:${source})(?= |$)`, 'y'), find] as const);

interface Mention {
  /** Where it begins and ends. */
  from: number;
  to: number;
  period: Period;
}

function mentionAt(text: string, from: number, reading: Reading): Mention | undefined {
  for (const [expression, find] of EXPRESSIONS) {
    expression.lastIndex = from;
    const found = expression.exec(text);
    const period = found && find(found.groups ?? {}, reading, text.slice(0, from));
    if (period) return { from, to: expression.lastIndex, period };
  }
  return undefined;
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
  const reading = { current: today.slice(0, 7), ahead };
  const text = words.map((word) => (word.month?.isStudent ? '' : word.plain)).join(' ');
  const mentions: Mention[] = [];
  for (const { index } of text.matchAll(/\S+/g)) {
    if (index < (mentions.at(-1)?.to ?? 0)) continue;
    const found = mentionAt(text, index, reading);
    if (found) mentions.push(found);
  }
  return joined(mentions, text, { ...reading, apart });
}

/** "até o fim do", "até", "no resto do": from now on. */
const REST = /\b(ate( (o|a))?( (fim|final))?|resto|restante)( (do|de|este|esse))? $/;

/** "de março a maio", "entre março e maio", "março até maio" are one period, as is "desde março"; "março e abril" are two. */
function joined(
  mentions: readonly Mention[],
  text: string,
  { current, ahead, apart }: Reading & { apart: boolean },
): Period[] {
  const periods: Period[] = [];
  for (let n = 0; n < mentions.length; n += 1) {
    const [{ from, to, period }, next] = [mentions[n]!, mentions[n + 1]];
    const between = next ? text.slice(to + 1, next.from - 1) : '';
    const before = text.slice(0, from);
    const spans =
      /^(a|ao|ate( (o|a))?( (fim|final))?( (do|de))?|ate este)$/.test(between) ||
      (/(?:^| )entre $/.test(before) && between === 'e' && !apart);
    if (next && spans) {
      // "de novembro a fevereiro" begins in the previous year.
      const de = period.de <= next.period.ate ? period.de : shiftMonth(period.de, -12);
      periods.push({ de, ate: next.period.ate });
      n += 1;
    } else if (/(?:^| )ate (?:[oa] )?$/.test(before) && !ahead && period.de === period.ate)
      periods.push({ de: `${period.ate.slice(0, 4)}-01`, ate: period.ate });
    else if (/(?:^| )desde (?:o )?$/.test(before) && period.de <= current)
      periods.push({ de: period.de, ate: current });
    else
      periods.push(
        ahead && REST.test(before) && period.ate >= current ? { de: current, ate: period.ate } : period,
      );
  }
  return periods;
}
