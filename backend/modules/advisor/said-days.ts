import { addDays, addMonths, format, getDay, parseISO } from 'date-fns';
import { type Days, weekOf } from './days.js';
import { shiftMonth, single } from './period.js';
import { MONTH_NAMES, MONTHS, NUMBERS, WEEKDAYS } from './lexicon.js';

/** Days in a text, and where it names them. */
export interface SaidDays extends Days {
  from: number;
  to: number;
  /** "até dia 15" */
  isUntil: boolean;
}

interface Reading {
  today: string;
  /** A day without a month or year is the next one, otherwise the last one. */
  ahead: boolean;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Find = (groups: Groups, reading: Reading, text: string) => Days | Days[] | null;

const shift = (day: string, by: number): string => format(addDays(parseISO(day), by), 'yyyy-MM-dd');

const NAMES = MONTH_NAMES.join('|');
const SOME_MONTH =
  'mes (?:passado|anterior|retrasado|atual|que vem)|(?:este|esse|proximo|ultimo) mes|(?<=do )mes';
const SOME_YEAR = '20\\d\\d|ano (?:passado|que vem)|(?:este|esse) ano';

/** "dia 10", "10/3", "10 de março de 2025", "dia 10 do mês passado". `n`: which date of the expression. */
const date = (n: 1 | 2): string =>
  `(?<dia${n}>\\bdias? |\\bvenc\\w+ (?:em )?)?(?<![\\d/.,])(?<day${n}>\\d{1,2}|\\bprimeiro)(?:\\/(?<number${n}>\\d{1,2})(?:\\/(?<year${n}>20\\d\\d|\\d\\d))?|` +
  ` (?:de |do )?(?:(?<name${n}>${NAMES})\\b(?: (?:de |do )?(?<named${n}>${SOME_YEAR}))?|(?<some${n}>${SOME_MONTH})\\b))?(?![\\d/.,]\\d|\\d|h|:| ?dias?\\b)`;

/** The parts of a date in a text; missing parts are undefined. */
interface SaidDate {
  day: number;
  month?: number | undefined;
  year?: number | undefined;
}

function dateOf(groups: Groups, n: 1 | 2, { today }: Reading): SaidDate {
  const of = (name: string) => groups[`${name}${n}`];
  const day = Number(of('day') === 'primeiro' ? 1 : of('day'));
  const some = of('some');
  if (some !== undefined) {
    const by = /passado|anterior|ultimo/.test(some) ? -1 : /vem|proximo/.test(some) ? 1 : 0;
    const [year, month] = shiftMonth(today.slice(0, 7), /retrasado/.test(some) ? -2 : by)
      .split('-')
      .map(Number);
    return { day, month, year };
  }
  const name = of('name');
  const number = of('number');
  const month = name ? MONTHS.findIndex((each) => each.startsWith(name)) + 1 : number && Number(number);
  return { day, month: month || undefined, year: yearOf(of('year') ?? of('named'), today) };
}

function yearOf(said: string | undefined, today: string): number | undefined {
  if (said === undefined || /^20\d\d$/.test(said)) return said === undefined ? said : Number(said);
  if (/^\d\d$/.test(said)) return 2000 + Number(said);
  return Number(today.slice(0, 4)) + (said.endsWith('passado') ? -1 : said.endsWith('vem') ? 1 : 0);
}

/**
 * The next or the last existing date with this day, including today: in this month and the following or previous ones, or, with
 * a month, in this year and the following or previous ones. With a year there is only one such date.
 */
function nearest({ day, month, year }: SaidDate, { today, ahead }: Reading): string | null {
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  for (let n = 0; n < 13; n += 1) {
    const away = ahead ? n : -n;
    const inMonth = month === undefined ? thisMonth - 1 + away : month - 1;
    const inYear = year ?? thisYear + (month === undefined ? 0 : away);
    const found = new Date(Date.UTC(inYear, inMonth, day));
    const text = found.toISOString().slice(0, 10);
    const exists = found.getUTCDate() === day && (month === undefined || found.getUTCMonth() === inMonth);
    if (exists && (year !== undefined || (ahead ? text >= today : text <= today))) return text;
    if (year !== undefined) return null;
  }
  return null;
}

const isDated = (groups: Groups, n: 1 | 2): boolean =>
  ['dia', 'number', 'name', 'some'].some((part) => groups[`${part}${n}`] !== undefined);

/** "de 3 a 10 de março", "entre os dias 3 e 10", "do dia 28/2 ao dia 3/3", "dias 3 e 4". */
const severalDates: Find = (groups, reading) => {
  const [one, other] = [dateOf(groups, 1, reading), dateOf(groups, 2, reading)];
  if (!isDated(groups, 1) && !isDated(groups, 2)) return null;
  const isApart = groups.to === 'e' && !groups.lead?.startsWith('entre');
  if (isApart && !isDated(groups, 1)) return null;
  const last = nearest(other.month ? other : { ...other, month: one.month, year: one.year }, reading);
  if (last === null) return null;
  const [year, month] = last.split('-').map(Number);
  const first = one.month
    ? nearest({ ...one, year: one.year ?? year }, reading)
    : other.month && one.day <= other.day
      ? nearest({ day: one.day, month, year }, reading)
      : nearest({ day: one.day }, { today: last, ahead: false });
  if (first === null) return null;
  if (isApart) return [single(first), single(last)];
  // "de 20 de dezembro a 10 de janeiro" begins in the previous year.
  const de = first <= last ? first : `${Number(first.slice(0, 4)) - 1}${first.slice(4)}`;
  return { de, ate: last };
};

const oneDate: Find = (groups, reading) => {
  const day = isDated(groups, 1) ? nearest(dateOf(groups, 1, reading), reading) : null;
  return day === null ? null : single(day);
};

const inDays =
  (by: number): Find =>
  (_, { today }) =>
    single(shift(today, by));
const inWeeks =
  (by: number): Find =>
  (_, { today }) =>
    weekOf(today, by);

const weeksOf = (week: string): number =>
  /retrasada/.test(week) ? -2 : /passada|anterior|ultima/.test(week) ? -1 : /vem|proxima/.test(week) ? 1 : 0;

const weekday: Find = ({ lead, name, which, week }, { today, ahead }) => {
  const [now, asked] = [getDay(parseISO(today)), WEEKDAYS.indexOf(name!)];
  if (week) return single(shift(weekOf(today, weeksOf(week)).de, asked));
  const [back, forth] = [(now - asked + 7) % 7 || 7, (asked - now + 7) % 7 || 7];
  if (which?.startsWith('retrasad')) return single(shift(today, -back - 7));
  if (/^(passad|anterior)/.test(which ?? '') || lead?.startsWith('ultim')) return single(shift(today, -back));
  return single(shift(today, ahead || which === 'que vem' || lead?.startsWith('proxim') ? forth : -back));
};

const lastDays: Find = ({ count, unit }, { today }) => {
  const number = NUMBERS.get(count!) ?? Number(count);
  const days = unit === 'semanas' ? number * 7 : number;
  return days >= 1 && days <= 366 ? { de: shift(today, 1 - days), ate: today } : null;
};

const fortnight: Find = ({ which, ...groups }, { today, ahead }) => {
  const { month, year } = dateOf({ ...groups, day1: '1' }, 1, { today, ahead });
  const first = month ? nearest({ day: 1, month, year }, { today, ahead }) : `${today.slice(0, 7)}-01`;
  if (first === null) return null;
  if (which!.startsWith('primeir')) return { de: first, ate: shift(first, 14) };
  return { de: shift(first, 15), ate: shift(format(addMonths(parseISO(first), 1), 'yyyy-MM-dd'), -1) };
};

const ORDINALS = 'primeir[ao]|segund[ao]|terceir[ao]|quart[ao]|ultim[ao]';
/** "a última semana de outubro" */
const NOT_OF_A_MONTH = `(?! d[eo] (?:mes|${NAMES})\\b)`;
const ORDINAL_OF = 'parcela|aula|vez|mensalidade|sessao|semana|quinzena|metade';

/** Expressions for days, longer ones first. */
const EXPRESSIONS: readonly [source: string, find: Find][] = [
  [`(?<lead>\\b(?:entre|de|do|dos)(?: os?)? )?${date(1)} (?<to>a|ao|ate|e)(?: o)? ${date(2)}`, severalDates],
  [
    `\\b(?<which>primeir[ao]|segunda) quinzena(?: (?:de |do )?(?:(?<name1>${NAMES})\\b(?: (?:de |do )?(?<named1>${SOME_YEAR}))?|(?<some1>${SOME_MONTH})\\b))?`,
    fortnight,
  ],
  [date(1), oneDate],
  [`\\bultim[ao]s (?<count>\\d{1,3}|${[...NUMBERS.keys()].join('|')}) (?<unit>dias|semanas)\\b`, lastDays],
  ['\\b(?:anteontem|antes de ontem)\\b', inDays(-2)],
  ['\\bontem\\b', inDays(-1)],
  ['\\bhoje\\b(?! em dia)', inDays(0)],
  ['\\bdepois de amanha\\b', inDays(2)],
  ['\\bamanha\\b', inDays(1)],
  [
    '\\b(?:(?:ha|faz) (?<count>\\d{1,3}) dias?|(?<ago>\\d{1,3}) dias? atras)\\b',
    ({ count, ago }, { today }) => single(shift(today, -Number(count ?? ago))),
  ],
  [
    '\\b(?:daqui a|dentro de|em) (?<count>\\d{1,3}) dias?\\b',
    ({ count }, { today, ahead }) => (ahead ? single(shift(today, Number(count))) : null),
  ],
  [
    '\\b(?:fim|final) de semana(?<which> passado)?\\b',
    ({ which }, { today, ahead }) => {
      const sunday = weekOf(today).de;
      // On a Saturday or Sunday it is the running one.
      const begun = getDay(parseISO(today)) === 0 ? shift(sunday, -1) : shift(sunday, 6);
      const isOver = which !== undefined || (!ahead && begun > today);
      const saturday = isOver ? shift(begun, -7) : begun;
      return { de: saturday, ate: shift(saturday, 1) };
    },
  ],
  [
    `(?<lead>\\b(?:ultim[ao]|proxim[ao]) )?(?<!\\b(?:tod[ao]|cada) )\\b(?<name>${WEEKDAYS.join('|')})\\b(?:[ -]feira)?(?: (?<which>passad[ao]|anterior|retrasad[ao]|que vem))?(?: (?:da|essa|esta) (?<week>semana(?: (?:passada|anterior|retrasada|que vem))?|ultima semana|proxima semana))?(?! (?:${ORDINAL_OF})\\b)`,
    weekday,
  ],
  ['\\b(?:semana que vem|proxima semana|outra semana)\\b', inWeeks(1)],
  [`\\b(?:semana (?:passada|anterior)|ultima semana)\\b${NOT_OF_A_MONTH}`, inWeeks(-1)],
  ['\\bsemana retrasada\\b', inWeeks(-2)],
  [`(?<!\\b(?:por|cada|toda|uma|${ORDINALS}) )\\bsemana\\b${NOT_OF_A_MONTH}`, inWeeks(0)],
  [
    '\\b(?:a|na|da) (?:passada|anterior)\\b',
    (_, { today }, text) => (/\bsemana\b/.test(text) ? weekOf(today, -1) : null),
  ],
];
const compiled = EXPRESSIONS.map(([source, find]) => [new RegExp(source, 'g'), find] as const);

/**
 * The days that a text names, in order. `text`: from `writtenOut`. `isOrder`: without those that name something else, such as "a
 * mensalidade do dia 10" and "a aula de segunda".
 */
export function saidDaysIn(
  text: string,
  { isOrder = false, ...reading }: Reading & { isOrder?: boolean },
): SaidDays[] {
  let rest = text;
  const said: SaidDays[] = [];
  for (const [expression, find] of compiled)
    for (const { 0: match, index: from, groups = {} } of rest.matchAll(expression)) {
      const before = text.slice(0, from);
      if (/\btodo $/.test(before) || (isOrder && /\b(?:de|do|da) $/.test(before))) continue;
      const found = find(groups, reading, text);
      if (found === null) continue;
      const to = from + match.length;
      for (const days of [found].flat()) said.push({ ...within(days, before, reading), from, to });
      rest = rest.slice(0, from) + '#'.repeat(match.length) + rest.slice(to);
    }
  return spanned(
    text,
    said.toSorted((a, b) => a.from - b.from),
    reading,
  );
}

/** "de segunda a sexta" and "de hoje até domingo" are all days from one to the other. */
function spanned(text: string, said: readonly SaidDays[], { ahead }: Reading): SaidDays[] {
  const spans: SaidDays[] = [];
  for (const next of said) {
    const last = spans.at(-1);
    const between = last && text.slice(last.to, next.from);
    if (!last || !/^ (a|ao|ate( [oa])?) $/.test(between!)) spans.push(next);
    else {
      const [de, ate] = [last.de, next.isUntil ? next.ate : next.de];
      const isTurned = de > ate;
      spans[spans.length - 1] = {
        de: isTurned && !ahead ? shift(de, -7) : de,
        ate: isTurned && ahead ? shift(ate, 7) : ate,
        from: last.from,
        to: next.to,
        isUntil: false,
      };
    }
  }
  return spans.filter(({ de, ate }) => de <= ate);
}

/**
 * "desde segunda" lasts until today, "depois do dia 10" begins after it; "até dia 15" and "antes do dia 15" begin with the month or,
 * ahead, today.
 */
function within({ de, ate }: Days, before: string, { today, ahead }: Reading): Days & { isUntil: boolean } {
  const [, word] = /\b(ate|antes|depois|apos|desde|a partir)(?: d?[aeo])? $/.exec(before) ?? [];
  const isUntil = de === ate && (word === 'ate' || word === 'antes');
  if (isUntil) {
    const last = word === 'ate' ? ate : shift(ate, -1);
    return { de: ahead && today <= last ? today : `${last.slice(0, 7)}-01`, ate: last, isUntil };
  }
  const isSince = word !== undefined && de <= today;
  if (!isSince) return { de, ate, isUntil };
  return { de: word === 'depois' || word === 'apos' ? shift(ate, 1) : de, ate: today, isUntil };
}
