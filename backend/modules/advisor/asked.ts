import type { ExpenseCategory } from '../finance/finance.api.js';
import { amountsIn, percentIn } from './amount.js';
import { type Days, daysOf, monthsOfDays } from './days.js';
import { type Concept, conceptsOf, EXPENSES, MONTHS, NUMBERS, vocabulary, WEEKDAYS } from './lexicon.js';
import { isSaidAsName, monthsAndNames } from './names.js';
import { type Period, periodsOf } from './period.js';
import { saidDaysIn } from './said-days.js';
import { moodOf } from './statement.js';
import { placesOf, plain, withoutWords, type Word, wordsOf, writtenOut } from './text.js';

export interface Spans {
  periods: Period[];
  dias: Days[];
  /** The message without the words for these days, and its words without them. */
  rest: string;
  others: readonly Word[];
  /** It names days that cannot be read. */
  isUnread: boolean;
}

/** The days and months that a message names. Days that are all of some months are these months. */
export function spansIn(
  message: string,
  words: readonly Word[],
  today: string,
  { ahead = false, apart = false, isOrder = false } = {},
): Spans {
  const written = writtenOut(message, words);
  const said = saidDaysIn(written, { today, ahead, isOrder });
  const places = placesOf(message, words);
  const isDay = (at: number) => said.some(({ from, to }) => places[at]! >= from && places[at]! < to);
  const others = words.map((word, at) => (isDay(at) ? { ...word, plain: '', isKnown: true } : word));
  const named = periodsOf(others, today, { ahead, apart });
  // "este mês até ontem" begins with the month.
  const [month] = named;
  const isUntil = month !== undefined && named.length === 1 && said.length === 1 && said[0]!.isUntil;
  const days = isUntil ? [{ de: daysOf(month).de, ate: said[0]!.ate }] : said;
  const whole = days.map((each) => monthsOfDays(each));
  const rest = withoutWords(message, isDay);
  return {
    periods: once([...whole.filter((months) => months !== undefined), ...(isUntil ? [] : named)]),
    dias: once(days.filter((_, n) => !whole[n])),
    others,
    rest,
    isUnread: UNREAD.test(plain(rest)),
  };
}

/** "neste mês de novembro" is one period, although it says so twice. */
const once = (spans: readonly Days[]): Days[] => [
  ...new Map(spans.map(({ de, ate }) => [`${de} ${ate}`, { de, ate }])).values(),
];

/** Words for days and times of day that are left where they could not be read. */
const UNREAD = new RegExp(
  [
    '\\b(hoje|ontem|amanha|semana|quinzena|ultim[oa]s dias|feriados?|natal|pascoa|carnaval|reveillon)\\b',
    `\\bdia (\\d|d[aeo]s? )|\\d\\/\\d|\\b(tod[ao]s?|cada)( os| as)? (dia|${WEEKDAYS.join('|')})`,
    `(?<!\\bdesde o )\\b(comeco|inicio|meio|metade) d[eo] (mes|${MONTHS.join('|')})`,
    `\\bdia (${[...NUMBERS.keys()].join('|')})\\b`,
    '\\b\\d{1,2}[-.]\\d{1,2}\\b(?![.,\\d])',
    '\\b(de|da|a|pela) (manha|tarde|noite)\\b|\\bas \\d{1,2}(h|\\b)',
  ].join('|'),
);

export interface Asked {
  texts: string[];
  joined: string;
  has: (...any: Concept[]) => boolean;
  isQuestion: boolean;
  isExpense: boolean;
  categoria: ExpenseCategory | null;
  /** The message has a word of a student's name. */
  isNamed: boolean;
  /** "+100 em dinheiro" */
  isAdded: boolean;
  /** It is no plain statement: it denies something, or doubts, supposes, foretells, reports or takes back. */
  mood: ReturnType<typeof moodOf>;
  valor: number | undefined;
  percent: number | undefined;
  /** It has several amounts, or instalments. */
  isSeveral: boolean;
  periods: number;
  /** It names days that have begun. */
  isDated: boolean;
}

export const saidIn = (message: string, names: ReadonlySet<string>): Word[] =>
  monthsAndNames(wordsOf(message, vocabulary, names), names);

export function askedBy(
  message: string,
  words: readonly Word[],
  { today, keep }: { today: string; keep: ReadonlySet<string> },
): Asked {
  const texts = words.map((word) => word.plain);
  const joined = texts.join(' ');
  const said = new Set(texts.flatMap((text) => [...conceptsOf(text)]));
  const { periods, dias, rest, others } = spansIn(message, words, today);
  const amounts = amountsIn(rest);
  return {
    texts,
    joined,
    has: (...any) => any.some((concept) => said.has(concept)),
    isQuestion:
      message.includes('?') ||
      /^(acho que|talvez|nao sei se)\b/.test(joined) ||
      /^(e )?(como|sera|quando|onde|cade)\b|\b(quanto|quantos|quantas|quem|qual|quais)\b/.test(joined),
    isExpense: expenseIn(message) !== undefined,
    categoria: categoryOf(message),
    isNamed: others.some((word) => isSaidAsName(word, keep)),
    mood: moodOf(joined),
    isAdded: /^\s*\+\s*(r\$)?\s*\d/i.test(message),
    valor: isNegative(rest) ? undefined : amounts[0],
    percent: percentIn(rest),
    isSeveral: new Set(amounts).size > 1 || INSTALMENTS.test(joined),
    periods: periods.length + dias.length,
    isDated: dias.some(({ de }) => de <= today),
  };
}

const SPENT = (Object.entries(EXPENSES) as [ExpenseCategory, string][]).map(
  ([category, words]) => [category, new RegExp(`\\b(?:${words})\\b`)] as const,
);
/** The category of what a message names that trainers spend money on. */
const expenseIn = (message: string): ExpenseCategory | undefined =>
  SPENT.find(([, words]) => words.test(plain(message)))?.[0];
/** The same; null for an expense without a category of its own, and for none. */
export function categoryOf(message: string): ExpenseCategory | null {
  const category = expenseIn(message);
  return category === undefined || category === 'outros' ? null : category;
}

const INSTALMENTS = /\b\d+ (x|vezes|parcelas)\b/;

const isNegative = (text: string): boolean => /(^|\s)[-−]\s?(r\$\s?)?\d/i.test(text);
