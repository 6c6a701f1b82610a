import type { AllocationKind, ExpenseCategory } from '../finance/finance.api.js';
import { type Asked, askedBy, saidIn, type Spans, spansIn } from './asked.js';
import { type Days, daysOf, weekOf } from './days.js';
import {
  ACTS,
  categoryAsked,
  type Intent,
  intentOf,
  isByMethod,
  isClaim,
  isOfAPart,
  isSummedUp,
  isWho,
  type Method,
  methodIn,
  overdueIn,
  partOf,
} from './intents.js';
import { dueDayIn, type MomentAsked, momentIn, pastDayIn } from './moment.js';
import { type Named, namesOf, whoIsMeant } from './names.js';
import { FOLLOWING, MONTHS } from './lexicon.js';
import type { Period } from './period.js';
import { capital, monthNames } from './saying.js';
import { statementIn } from './statement.js';
import { plain, seen, type Word, writtenOut } from './text.js';

export interface Understood {
  intent: Intent;
  /** Every word of the message is part of one statement about a payment or an expense. */
  isStated: boolean;
  /** The months in a question. */
  periods: Period[];
  /** How many days a debt is overdue at least, if it is asked for old ones. */
  atraso: number | undefined;
  /** The days and weeks in it; of a question about the agenda, all its days. */
  dias: Days[];
  /** The student in the message, or several possible ones; `desconhecido`: a name that no student has. */
  pessoa: Named[];
  desconhecido: string | null;
  /** Cents. */
  valor: number | undefined;
  percent: number | undefined;
  parte: AllocationKind | undefined;
  /** The one kind of expense that is asked for. */
  categoria: ExpenseCategory | undefined;
  /** The one payment method that is asked for. */
  meio: Method | undefined;
  /** It is asked who paid, not how much came in. */
  isWho: boolean;
  quando: MomentAsked | undefined;
  /** The message without the words for days. */
  semDias: string;
  /** The day of a payment or expense, if one is named. */
  feitoEm: string | null;
  /** The day on which a charge is due, if one is named; undefined if it cannot be read. */
  vencimento: string | null | undefined;
  metodo: Method;
  /** A word that may be a student or a month, what it was read as, and the message that means the other. */
  ambiguo: { palavra: string; como: 'aluno' | 'mes'; outra: string } | undefined;
}

/**
 * Besides what was understood: `'days'`: a question about days or weeks for which its figure is not computed; `'unread'`: a question
 * about days that cannot be read; `'undated'`: an order about a time that is no day; `'many'`: too many questions;
 * `'several'`: an order with several amounts or instalments; `'held'`: it is about an amount, but denies, doubts or takes it back.
 */
export type Meaning = Understood | 'days' | 'unread' | 'undated' | 'several' | 'held' | 'many' | undefined;

/**
 * The data by which a message is understood. `former`: archived students. `before`: the user's previous messages,
 * latest first.
 */
interface Known {
  today: string;
  students: readonly Named[];
  former?: readonly Named[];
  before?: readonly string[];
}

/** Where another question begins: after a question mark, and at "e quanto". */
const NEXT_QUESTION =
  /(?<=\?)\s+(?=\S)|\s+(?=e (?:quem|qual|quais|quantos?|quantas?|qto|qtos|qtas|qnto|qm|ql)\b)/i;

/** Maximum of questions in a message. */
export const MOST_QUESTIONS = 4;

/** The meanings of a message, with the part of it that has each: of several questions, of each one. */
export function meaningsOf(message: string, known: Known): { asked: string; meaning: Meaning }[] {
  const parts = message.split(NEXT_QUESTION);
  const each = parts.slice(0, MOST_QUESTIONS).map((asked, n) => {
    const before = [...parts.slice(0, n).toReversed(), ...(known.before ?? [])];
    return { asked, meaning: understand(asked, { ...known, before }) };
  });
  const isEachAsked = each.every(({ meaning }) => typeof meaning === 'object' && !ACTS.has(meaning.intent));
  if (parts.length === 1 || !isEachAsked) return [{ asked: message, meaning: understand(message, known) }];
  if (parts.length > MOST_QUESTIONS) return [{ asked: message, meaning: 'many' }];
  const questions = each.filter(({ meaning }) => !isTalk(meaning));
  return questions.length > 0 ? questions : each.slice(0, 1);
}

/** Greetings and thanks. */
export const isTalk = (meaning: Meaning): boolean =>
  typeof meaning === 'object' && (meaning.intent === 'ajuda' || meaning.intent === 'obrigado');

/** The meaning of a message; undefined if it is not understood. */
export function understand(
  typed: string,
  { today, students, former = [], before: typedBefore = [] }: Known,
): Meaning {
  const [message, before] = [seen(typed), typedBefore.map(seen)];
  const keep = namesOf([...students, ...former]);
  const words = saidIn(message, keep);
  const stated = statementIn(typed, { today, students, keep });

  const first = askedBy(message, words, { today, keep });
  if (isEnglish(message) || FOREIGN_MONEY.test(message) || CHANGES.test(first.joined)) return undefined;
  const own = stated?.is ?? intentOf(first);
  if (first.mood && isClaim(first) && !(own && (ACTS.has(own) || MAY_DENY.has(own)))) return 'held';
  const said = { message, words, before, keep, today };
  const from = own ? first : continued(said, first);
  const intent = own ?? (from && intentOf(from));
  if (!from || !intent || isOfAPart(intent, first) || isOfAPart(intent, from)) return undefined;
  // Sessions of a single student are not counted separately.
  if (intent === 'agenda' && whoIsMeant(words, students, former).found.length > 0) return undefined;
  const spans = spansFor(said, {
    ahead: isOfFuture(intent, from),
    apart: intent === 'comparar',
    isOrder: ACTS.has(intent),
    isAlone: intent === 'e_se',
  });
  if (isSummedUp(intent) && spans.isUnread) return 'unread';
  if (intent === 'ticket' && spans.dias.length > 0) return 'days';
  if (ACTS.has(intent) && intent !== 'agendar' && first.isSeveral) return 'several';
  const written = writtenOut(message, words);
  const feitoEm = MONEY_ACTS.has(intent) ? pastDayIn(written, today) : null;
  if (MONEY_ACTS.has(intent) && feitoEm === null && (spans.dias.length > 0 || SOME_TIME.test(written)))
    return 'undated';
  const { found, unknown } = PERSONAL.has(intent)
    ? whoIsMeant(spans.others, students, former)
    : { found: [], unknown: null };
  const atraso = intent === 'devedores' ? (overdueIn(first.joined) ?? overdueIn(from.joined)) : undefined;
  const days = intent === 'agenda' ? [agendaDays(spans, today)] : undefined;
  const { periods, dias } = days || atraso !== undefined ? { periods: [], dias: days ?? [] } : spans;
  const meant = found.length === 0 && isAhead(intent, from, spans, today) ? 'previsto' : intent;
  const mayBeOther = !ACTS.has(intent) && (PERSONAL.has(intent) || periods.length > 0);
  return {
    intent: meant,
    periods,
    dias,
    isStated: stated !== undefined,
    semDias: spans.rest,
    ...(stated
      ? { pessoa: stated.student ? [stated.student] : [], desconhecido: null }
      : { pessoa: found, desconhecido: unknown }),
    valor: stated?.valor ?? first.valor,
    percent: first.percent,
    parte: partOf(from),
    categoria: (intent === 'despesas' && categoryAsked(from)) || undefined,
    meio:
      (meant === 'recebido' || meant === 'despesas') && isByMethod(from) ? methodIn(from.joined) : undefined,
    isWho: isWho(from),
    atraso,
    feitoEm: stated ? stated.dia : feitoEm,
    quando: intent === 'agendar' ? momentIn(written, today) : undefined,
    vencimento: intent === 'cobrar' ? dueDayIn(written, today) : null,
    metodo: methodIn(first.joined),
    ambiguo: mayBeOther ? eitherIn(message, words) : undefined,
  };
}

/** A message, its words, and those before it; `keep`: the words of all students' names. */
interface Said {
  message: string;
  words: readonly Word[];
  before: readonly string[];
  keep: ReadonlySet<string>;
  today: string;
}

/** The days and months of a message; a follow-up without any, "e a Ana?", is about those of the question before it. */
function spansFor(
  { message, words, before, keep, today }: Said,
  { isAlone, ...how }: { ahead: boolean; apart: boolean; isOrder: boolean; isAlone: boolean },
): Spans {
  const own = spansIn(message, words, today, how);
  const isWithout = ({ periods, dias, isUnread }: Spans) => periods.length + dias.length === 0 && !isUnread;
  if (isAlone || how.isOrder || !isWithout(own) || !ADDS.test(message)) return own;
  for (const earlier of before) {
    const { periods, dias, ...rest } = spansIn(earlier, saidIn(earlier, keep), today, how);
    if (!isWithout({ periods, dias, ...rest }) || !ADDS.test(earlier)) return { ...own, periods, dias };
  }
  return own;
}

const ADDS = /^\s*(e|mas)\b/i;

/** The days of a question about the agenda; by default this week. */
function agendaDays({ periods: [months], dias: [days] }: Spans, today: string): Days {
  return days ?? (months ? daysOf(months) : weekOf(today));
}

/** Words about what was, in a question about the agenda. */
const IS_HAD = /\b(dei|fiz|tive|atendi|foram|houve|fizemos|ontem|passad[ao])\b/;

/** Whether a day without a year is the next one: "o que entra dia 5?", but "quanto recebi dia 5?" */
function isOfFuture(intent: Intent, { has, joined }: Asked): boolean {
  if (intent === 'agenda') return !IS_HAD.test(joined);
  const isPresent = intent === 'recebido' && has('receber') && !has('recebi', 'pagar');
  return intent === 'previsto' || intent === 'agendar' || isPresent;
}

/** "quanto entra amanhã?": what comes in later is only expected. */
function isAhead(intent: Intent, asked: Asked, { periods, dias }: Spans, today: string): boolean {
  if (intent !== 'recebido' || periods.length + dias.length === 0) return false;
  const isLater = dias.every(({ de }) => de > today) && periods.every(({ de }) => de > today.slice(0, 7));
  return isLater && (periods.length === 0 || isOfFuture(intent, asked));
}

/** "Marco" where it may be a student or the month: which of them it was read as, and the question that means the other. */
function eitherIn(message: string, words: readonly Word[]): Understood['ambiguo'] {
  const word = words.find(({ month }) => month && !month.isSure);
  if (!word?.month) return undefined;
  const [typed, { isStudent }] = [word.typed, word.month];
  const other = isStudent ? `em ${monthNames[MONTHS.indexOf(word.plain)]!}` : `do ${capital(typed)}`;
  const outra = message.replace(new RegExp(`(\\b(de|em) )?\\b${typed}\\b`, 'i'), other);
  return { palavra: typed, como: isStudent ? 'aluno' : 'mes', outra };
}

/** "e em março?", "e a Ana?": repeats the previous question for another period or student. */
function continued({ message, words, before, keep, today }: Said, asked: Asked): Asked | undefined {
  const isMore = words.length <= 8 && (/^\s*(e|mas|ja)\b/.test(plain(message)) || asked.isQuestion);
  const isAbout = asked.periods > 0 || overdueIn(asked.joined) !== undefined || asked.isNamed;
  // A word about something else begins another topic: "da pra tirar férias em janeiro?"
  const isOther = ({ plain: word }: Word) => !(FOLLOWING.has(word) || keep.has(word) || /^\d+$/.test(word));
  if (!isMore || !isAbout || words.some(isOther)) return undefined;
  for (const earlier of before) {
    const question = askedBy(earlier, saidIn(earlier, keep), { today, keep });
    const intent = intentOf(question);
    if (intent) return ACTS.has(intent) ? undefined : question;
  }
  return undefined;
}

const MONEY_ACTS: ReadonlySet<Intent> = new Set(['receita', 'despesa', 'pagar']);

/** Intents that may be about one student. */
const PERSONAL: ReadonlySet<Intent> = new Set([
  ...(['recebido', 'devedores', 'creditos', 'aulas_devidas', 'faltas'] as const),
  ...(['receita', 'cobrar', 'pagar', 'agendar'] as const),
]);

/** Intents that answer what a message denies or supposes. */
const MAY_DENY: ReadonlySet<Intent> = new Set(['devedores', 'e_se']);

/** A time in an order that is no single day, such as "mês passado", but not "a mensalidade do mês passado". */
const SOME_TIME = new RegExp(
  `(?<!\\b(?:d[eo]|referente a|a) )\\b(?:(?:mes|ano) (?:passado|retrasado|anterior)|ultimo mes)\\b|\\bem (?:${MONTHS.join('|')})\\b`,
);

const FOREIGN_MONEY = /\bus?\$|(?<!r)\$|[€£]/i;

/** English, which is not understood word by word. */
const ENGLISH =
  /\b(the|and|show|how|much|what|who|my|did|this|all|other|please|give|tell|instructions|owes|is|are|month)\b/gi;

const isEnglish = (message: string): boolean => new Set(message.toLowerCase().match(ENGLISH)).size >= 2;

/** Orders to change what was recorded, which the advisor does not carry out. */
const CHANGES =
  /^(por favor )?(apagar?|excluir?|deletar?|cancelar?|desmarcar?|remarcar?|estornar?|corrigir?|corrige)\b/;
