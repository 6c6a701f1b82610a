import type { AllocationKind, ExpenseCategory } from '../finance/finance.api.js';
import { amountIn, amountsIn, numberWords, percentIn } from './amount.js';
import { type Concept, conceptsOf, vocabulary } from './concepts.js';
import { type Days, daysOf, monthsOfDays, weekOf } from './days.js';
import { categoryOf, isExpense } from './expenses.js';
import { dueDayIn, type MomentAsked, momentIn, pastDayIn } from './moment.js';
import { isSaidAsName, monthsAndNames, type Named, namesOf, whoIsMeant } from './names.js';
import { MONTHS, NUMBERS, type Period, periodsOf, WEEKDAYS } from './period.js';
import { saidDaysIn } from './said-days.js';
import { capital, monthNames } from './saying.js';
import { placesOf, plain, type Word, withoutWords, wordsOf, writtenOut } from './text.js';

export type Intent =
  | 'recebido'
  | 'previsto'
  | 'despesas'
  | 'lucro'
  | 'devedores'
  | 'guardar'
  | 'divisao'
  | 'melhor_mes'
  | 'pior_mes'
  | 'meta'
  | 'ticket'
  | 'sumindo'
  | 'creditos'
  | 'aulas_devidas'
  | 'agenda'
  | 'comparar'
  | 'e_se'
  | 'receita'
  | 'despesa'
  | 'cobrar'
  | 'pagar'
  | 'agendar'
  | 'ajuda'
  | 'obrigado';

export interface Understood {
  intent: Intent;
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
  meio: Understood['metodo'] | undefined;
  /** It is asked who paid, not how much came in. */
  isWho: boolean;
  quando: MomentAsked | undefined;
  /** The message without the words for days. */
  semDias: string;
  /** The day of a payment or expense, if one is named. */
  feitoEm: string | null;
  /** The day on which a charge is due, if one is named; undefined if it cannot be read. */
  vencimento: string | null | undefined;
  metodo: 'pix' | 'cartao_credito' | 'dinheiro';
  /** A word that may be a student or a month, what it was read as, and the message that means the other. */
  ambiguo: { palavra: string; como: 'aluno' | 'mes'; outra: string } | undefined;
}

/**
 * Besides what was understood: `'days'`: a question about days or weeks for which its figure is not computed; `'unread'`: a question
 * about days that cannot be read; `'undated'`: an order about a time that is no day; `'many'`: too many questions;
 * `'several'`: an order with several amounts or instalments.
 */
export type Meaning = Understood | 'days' | 'unread' | 'undated' | 'several' | 'many' | undefined;

interface Asked {
  texts: string[];
  joined: string;
  has: (...any: Concept[]) => boolean;
  isQuestion: boolean;
  /** The message names an expense, and the category of it. */
  isExpense: boolean;
  categoria: ExpenseCategory | null;
  /** The message has a word of a student's name. */
  isNamed: boolean;
  /** "+100 em dinheiro" */
  isAdded: boolean;
  valor: number | undefined;
  percent: number | undefined;
  /** It has several amounts, or instalments. */
  isSeveral: boolean;
  periods: number;
  /** It names days that have begun. */
  isDated: boolean;
}

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
export function understand(message: string, { today, students, former = [], before = [] }: Known): Meaning {
  const keep = namesOf([...students, ...former]);
  const words = saidIn(message, keep);

  const first = askedBy(message, words, { today, keep });
  if (isEnglish(message) || FOREIGN_MONEY.test(message) || CHANGES.test(first.joined)) return undefined;
  const own = intentOf(first);
  const from = own ? first : continued(message, words, first, before, keep, today);
  const intent = own ?? (from && intentOf(from));
  if (!from || !intent || isOfAPart(intent, first) || isOfAPart(intent, from)) return undefined;
  // Sessions of a single student are not counted separately.
  if (intent === 'agenda' && whoIsMeant(words, students, former).found.length > 0) return undefined;
  const said = spansFor(
    message,
    words,
    before,
    { keep, today },
    {
      ahead: isOfFuture(intent, from),
      apart: intent === 'comparar',
      isOrder: ACTS.has(intent),
      isAlone: intent === 'e_se',
    },
  );
  if (isSummedUp(intent) && said.isUnread) return 'unread';
  if (intent === 'ticket' && said.dias.length > 0) return 'days';
  if (ACTS.has(intent) && intent !== 'agendar' && first.isSeveral) return 'several';
  const written = writtenOut(message, words);
  const feitoEm = MONEY_ACTS.has(intent) ? pastDayIn(written, today) : null;
  if (MONEY_ACTS.has(intent) && feitoEm === null && (said.dias.length > 0 || SOME_TIME.test(written)))
    return 'undated';
  const { found, unknown } = PERSONAL.has(intent) ? whoIsMeant(said.others, students, former) : NOBODY;
  const atraso = intent === 'devedores' ? (overdueIn(first.joined) ?? overdueIn(from.joined)) : undefined;
  const { periods, dias } =
    intent === 'agenda'
      ? { periods: [], dias: [agendaDays(said, today)] }
      : atraso === undefined
        ? said
        : NO_DAYS;
  const meant = found.length === 0 && isAhead(intent, from, said, today) ? 'previsto' : intent;
  return {
    ...{ intent: meant, periods, dias },
    ...{ pessoa: found, desconhecido: unknown, semDias: said.rest },
    ...{ valor: first.valor, percent: first.percent, parte: partOf(from) },
    ...{
      categoria: (intent === 'despesas' && categoryAsked(from)) || undefined,
      meio:
        (meant === 'recebido' || meant === 'despesas') && BY_METHOD.test(from.joined)
          ? methodIn(from.joined)
          : undefined,
      isWho: isWho(from),
      atraso,
    },
    ...{
      feitoEm,
      quando: intent === 'agendar' ? momentIn(written, today) : undefined,
      vencimento: intent === 'cobrar' ? dueDayIn(written, today) : null,
      metodo: methodIn(first.joined),
      ambiguo:
        ACTS.has(intent) || !(PERSONAL.has(intent) || periods.length > 0)
          ? undefined
          : eitherIn(message, words),
    },
  };
}

/** The days and months of a message; a follow-up without any, "e a Ana?", is about those of the question before it. */
function spansFor(
  message: string,
  words: readonly Word[],
  before: readonly string[],
  { keep, today }: { keep: ReadonlySet<string>; today: string },
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
const isFollowUp = (message: string): boolean => /^\s*(e|mas|ja)\b/i.test(plain(message));

interface Spans {
  periods: Period[];
  dias: Days[];
  /** The message without the words for these days, and its words without them. */
  rest: string;
  others: readonly Word[];
  /** It names days that cannot be read. */
  isUnread: boolean;
}

/** The days and months that a message names. Days that are all of some months are these months. */
function spansIn(
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
    periods: [...whole.filter((months) => months !== undefined), ...(isUntil ? [] : named)],
    dias: days.filter((_, n) => !whole[n]).map(({ de, ate }) => ({ de, ate })),
    ...{ others, rest, isUnread: UNREAD.test(plain(rest)) },
  };
}

/** Words for days and times of day that are left where they could not be read. */
const UNREAD = new RegExp(
  [
    '\\b(hoje|ontem|amanha|semana|quinzena|ultim[oa]s dias|feriados?|natal|pascoa|carnaval|reveillon)\\b',
    `\\bdia (\\d|d[aeo]s? )|\\d\\/\\d|\\b(tod[ao]s?|cada)( os| as)? (dia|${WEEKDAYS.join('|')})`,
    `(?<!\\bdesde o )\\b(comeco|inicio|meio|metade) d[eo] (mes|${MONTHS.join('|')})`,
    `\\bdia (${numberWords.join('|')})\\b`,
    '\\b\\d{1,2}[-.]\\d{1,2}\\b(?![.,\\d])',
    '\\b(de|da|a|pela) (manha|tarde|noite)\\b|\\bas \\d{1,2}(h|\\b)',
  ].join('|'),
);

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

const saidIn = (message: string, names: ReadonlySet<string>): Word[] =>
  monthsAndNames(wordsOf(message, vocabulary, names), names);

/** "Marco" where it may be a student or the month: which of them it was read as, and the question that means the other. */
function eitherIn(message: string, words: readonly Word[]): Understood['ambiguo'] {
  const word = words.find(({ month }) => month && !month.isSure);
  if (!word?.month) return undefined;
  const {
    typed,
    plain: month,
    month: { isStudent },
  } = word;
  const other = isStudent ? `em ${monthNames[MONTHS.indexOf(month)]!}` : `do ${capital(typed)}`;
  const outra = message.replace(new RegExp(`(\\b(de|em) )?\\b${typed}\\b`, 'i'), other);
  return { palavra: typed, como: isStudent ? 'aluno' : 'mes', outra };
}

/** "e em março?", "e a Ana?": repeats the previous question for another period or student. */
function continued(
  message: string,
  words: readonly Word[],
  asked: Asked,
  before: readonly string[],
  keep: ReadonlySet<string>,
  today: string,
): Asked | undefined {
  const isShort = words.length <= 8 && (isFollowUp(message) || asked.isQuestion);
  const isAbout = asked.periods > 0 || overdueIn(asked.joined) !== undefined || asked.isNamed;
  if (!isShort || !isAbout) return undefined;
  for (const earlier of before) {
    const question = askedBy(earlier, saidIn(earlier, keep), { today, keep });
    const intent = intentOf(question);
    if (intent) return ACTS.has(intent) ? undefined : question;
  }
  return undefined;
}

export const ACTS: ReadonlySet<Intent> = new Set(['receita', 'despesa', 'cobrar', 'pagar', 'agendar']);

const MONEY_ACTS: ReadonlySet<Intent> = new Set(['receita', 'despesa', 'pagar']);

/** Intents that may be about one student. */
const PERSONAL: ReadonlySet<Intent> = new Set([
  ...(['recebido', 'devedores', 'creditos', 'aulas_devidas'] as const),
  ...(['receita', 'cobrar', 'pagar', 'agendar'] as const),
]);
const NOBODY = { found: [], unknown: null };
const NO_DAYS = { periods: [], dias: [] };

const isSummedUp = (intent: Intent): boolean =>
  ['recebido', 'previsto', 'despesas', 'lucro', 'guardar', 'divisao', 'ticket', 'comparar'].includes(intent);

function askedBy(
  message: string,
  words: readonly Word[],
  { today, keep }: { today: string; keep: ReadonlySet<string> },
): Asked {
  const texts = words.map((word) => word.plain);
  const joined = texts.join(' ');
  const said = new Set(texts.flatMap((text) => [...conceptsOf(text)]));
  const { periods, dias, rest, others } = spansIn(message, words, today);
  return {
    ...{ texts, joined, has: (...any) => any.some((concept) => said.has(concept)) },
    isQuestion:
      message.includes('?') ||
      /^(acho que|talvez|nao sei se)\b/.test(joined) ||
      /^(e )?(quanto|quantos|quantas|quem|qual|quais|como|sera|quando|onde|cade)\b/.test(joined) ||
      /\b(quanto|quantos|quantas|quem|qual|quais)\b/.test(joined),
    ...{ isExpense: isExpense(message), categoria: categoryOf(message) },
    isNamed: others.some((word) => isSaidAsName(word, keep)),
    isAdded: /^\s*\+\s*(r\$)?\s*\d/i.test(message),
    ...{ valor: isNegative(rest) ? undefined : amountIn(rest), percent: percentIn(rest) },
    isSeveral: new Set(amountsIn(rest)).size > 1 || INSTALMENTS.test(joined),
    ...{ periods: periods.length + dias.length, isDated: dias.some(({ de }) => de <= today) },
  };
}

/** A time in an order that is no single day, such as "mês passado", but not "a mensalidade do mês passado". */
const SOME_TIME = new RegExp(
  `(?<!\\b(?:d[eo]|referente a|a) )\\b(?:(?:mes|ano) (?:passado|retrasado|anterior)|ultimo mes)\\b|\\bem (?:${MONTHS.join('|')})\\b`,
);

const INSTALMENTS = /\b\d+ (x|vezes|parcelas)\b/;
const isNegative = (text: string): boolean => /(^|\s)[-−]\s?(r\$\s?)?\d/i.test(text);

const FOREIGN_MONEY = /\bus?\$|(?<!r)\$|[€£]/i;

/** English, which is not understood word by word. */
const ENGLISH =
  /\b(the|and|show|how|much|what|who|my|did|this|all|other|please|give|tell|instructions|owes|is|are|month)\b/gi;
const isEnglish = (message: string): boolean => new Set(message.toLowerCase().match(ENGLISH)).size >= 2;

/** Orders to change what was recorded, which the advisor does not carry out. */
const CHANGES =
  /^(por favor )?(apagar?|excluir?|deletar?|cancelar?|desmarcar?|remarcar?|estornar?|corrigir?|corrige)\b/;

const OUT_OF_QUESTION =
  /\b(bitcoin|dolar|euro|acoes|bolsa|tesouro|dolares|euros|libras|cdb|investir|investimento|investimentos|emprestimo|mei|clima|previsao do tempo|receitas? de bolo|eleicao|eleicoes)\b/;

function intentOf(asked: Asked): Intent | undefined {
  const { joined } = asked;
  if (OUT_OF_QUESTION.test(joined)) return undefined;
  if (LOWERS.test(joined) && (asked.has('hipotese') || /\bse (eu )?/.test(joined))) return undefined;
  return (
    hypothesis(asked) ??
    agendaLoad(asked) ??
    act(asked) ??
    comparison(asked) ??
    aboutPeople(asked) ??
    aboutMoney(asked) ??
    talk(asked)
  );
}

/** How something was paid, in a question. */
const BY_METHOD = /\b(pix|cartao|especie|debito)\b|\b(em|no) dinheiro\b/;

/** The category of the expenses that are asked for. */
const categoryAsked = (asked: Asked): ExpenseCategory | null =>
  isTaxPaid(asked) ? 'impostos' : asked.categoria;

/** Whether it asks about a part of a sum that has no category, or about persons, which no figure answers. */
function isOfAPart(intent: Intent, asked: Asked): boolean {
  const { joined, has, isExpense, isNamed } = asked;
  if ((intent === 'despesas' || intent === 'lucro') && (isNamed || /\b(alun[oa]|cliente)\b/.test(joined)))
    return true;
  if (intent === 'despesas')
    return (
      (isExpense && categoryAsked(asked) === null) ||
      /\b(maior|menor)(es)? (gasto|despesa|custo|saida)s?\b/.test(joined) ||
      (BY_METHOD.test(joined) && categoryAsked(asked) !== null) ||
      COUNTED.test(joined)
    );
  if (intent === 'devedores') return isOfSomeDebts(asked);
  if (intent === 'melhor_mes' || intent === 'pior_mes')
    return /\b(melhor|pior|mais|menos|maior|menor|fraco|forte)\b.*\b(dia|semana)\b|\b(dia|semana)\b.*\b(mais|menos)\b/.test(
      joined,
    );
  if (isSummedUp(intent) && /\b(que|qual) (foi )?(o |a )?(meu |minha )?(semana|dia)\b/.test(joined))
    return true;
  if (/\b(maior|menor)(es)? (receita|recebimento|pagamento|entrada|pix)s?\b/.test(joined)) return true;
  if (isSummedUp(intent) && /\bpor (dia|semana|mes|ano)\b/.test(joined)) return true;
  if (intent !== 'recebido') return false;
  if (COUNTED.test(joined) && asked.isDated) return true;
  if (/\boutr[oa]s? (personal|personais|trainers?|trein\w+|profess\w+)\b/.test(joined)) return true;
  if (/\bpor (aula|hora|sessao|treino|alun[oa]|cliente)\b/.test(joined)) return true;
  if (BY_METHOD.test(joined) && (isNamed || isWho(asked))) return true;
  if (has('aluno') && /\b(novos?|novas?)\b/.test(joined)) return true;
  return (
    (has('aluno') || /\bquem\b/.test(joined)) &&
    /\b(mais|menos) (me )?(paga|pagam|pagou|rende|rendeu)\b|\b(paga|pagam|pagou|rende|rendeu) (mais|menos)\b/.test(
      joined,
    )
  );
}

const COUNTED = /\bquant[oa]s (receitas|despesas|recebimentos|pagamentos|gastos|lancamentos|entradas|pix)\b/;

/** Debts of an amount, the biggest ones, or who has none. */
function isOfSomeDebts({ joined, isNamed, valor }: Asked): boolean {
  if (isNamed) return false;
  return (
    valor !== undefined ||
    /\b(mais|menos) (me )?(deve|devem|devendo)\b|\b(deve|devem|devendo)( \w+)? (mais|menos)\b(?! de \w+ (dia|semana|mes))/.test(
      joined,
    ) ||
    /\bnao (esta |estao )?(me )?(deve|devem|devendo)\b/.test(joined)
  );
}

/** "e se eu cobrasse 10% a menos?": not supported, only increases are computed. */
const LOWERS =
  /\b(a menos|desconto|mais barat[oa]|baixar|baixasse|abaixar|abaixasse|diminuir|diminuisse|reduzir|reduzisse)\b/;

/** "e se eu cobrasse R$ 20 a mais?" */
function hypothesis({ has, joined, valor, percent, isQuestion }: Asked): Intent | undefined {
  if (valor === undefined && percent === undefined) return undefined;
  const supposes =
    has('hipotese') ||
    /\bse (eu )?(cobrar|aumentar|subir|aumentasse|cobrasse|subisse|colocar|por|botar)\b/.test(joined);
  const raises =
    /\b(a mais|mais caro|mais cara)\b/.test(joined) && (has('cobrar') || has('preco') || isQuestion);
  const prices = isQuestion && /\b(aumentar|subir)\b/.test(joined);
  return supposes || raises || prices ? 'e_se' : undefined;
}

/** Words for days, weeks and months of the agenda. */
const SOME_DAYS = /\b(hoje|amanha|ontem|semana|mes|dia|domingo|segunda|terca|quarta|quinta|sexta|sabado)\b/;

/** The intent about how full the agenda is, unlike questions about payments and orders to book. */
function agendaLoad({ has, joined, isQuestion, isNamed, valor, periods }: Asked): Intent | undefined {
  if (valor !== undefined) return undefined;
  if (has('credito', 'dever', 'comparar', 'pagar', 'sumir', 'acabar')) return undefined;
  if (/\b\d{1,2} ?h\b|\bas \d{1,2}\b/.test(joined)) return undefined;
  if (
    /\b(minha|como|ver|mostrar?) (esta |anda |vai )?(a |o )?(minha |meu )?(agenda|dia|semana)\b/.test(joined)
  )
    return 'agenda';
  if (
    /^(a )?agenda (de |da |do |para |para a )?(hoje|amanha|ontem|semana|mes|proxima|este|esse|esta|essa)\b/.test(
      joined,
    )
  )
    return 'agenda';
  if (!isQuestion && !/^(minha|meu|mostra|mostrar|ver)\b/.test(joined)) return undefined;
  const isCounted = /\b(quantas|quantos|quais)\b/.test(joined);
  if (isNamed && !SOME_DAYS.test(joined) && periods === 0) return undefined;
  const isDue =
    /\b(devo|devidas?|pagas?|repor|entregar|faltam?|com quantas)\b/.test(joined) ||
    ((has('dar') || /\bainda\b/.test(joined)) && !SOME_DAYS.test(joined));
  if (has('ocupacao') && (has('aula', 'agendar') || SOME_DAYS.test(joined) || periods > 0)) return 'agenda';
  const isHad = /\btenho\b.*\b(gente|alun[oa]s?|aulas?|treinos?)\b/.test(joined) && SOME_DAYS.test(joined);
  if (((isCounted && has('aula')) || isHad) && !isDue) return 'agenda';
  return (isCounted || /\bquem\b/.test(joined)) && has('atender') ? 'agenda' : undefined;
}

/** Expressions for money that came in. */
const RECEIVED =
  /\b(recebi|pagou|pagaram|pagamento|entrada|entrou|recebimento|receita|caiu|ganhei|transferiu|depositou|pingou)\b|\bme (deu|mandou|passou|enviou)\b|\b(fez|mandou|passou|enviou) (um |o )?(pix|deposito|dinheiro)\b|\bacabou de (me )?(pagar|passar|mandar|transferir|depositar)\b|^(um )?pix d[aeo]\b/;

function act(asked: Asked): Intent | undefined {
  const { has, texts, joined, valor, isQuestion, isExpense, isAdded } = asked;
  if (isQuestion) return undefined;
  const first = texts.find(
    (text) => !['por', 'favor', 'oi', 'ola', 'quero', 'pode', 'preciso', 'voce'].includes(text),
  );
  const orders = first !== undefined && conceptsOf(first);
  if (orders && (orders.has('agendar') || (orders.has('marcar') && has('aula')))) return 'agendar';
  const isPut = orders && (orders.has('marcar') || orders.has('registrar')) && valor === undefined;
  if (isPut && !has('pagar', 'despesa') && SOME_DAYS.test(joined)) return 'agendar';
  const isTimed = /\b\d{1,2} ?(h|hs|horas?)\b|\bas \d{1,2}\b/.test(joined);
  if (has('agendar', 'marcar') && isTimed && SOME_DAYS.test(joined)) return 'agendar';
  if (
    /\bagendar\b/.test(joined) &&
    /\b(amanha|hoje|dia|segunda|terca|quarta|quinta|sexta|sabado|domingo)\b/.test(joined)
  )
    return 'agendar';
  const settles =
    /\b(dar|da|de|dei) baixa\b|\bmar(ca|que)\w*\b.*\b(pag[oa]|pagou|quitad[oa])\b|\bquit(ar|ou|aram)\b/.test(
      joined,
    );
  if (settles && !has('despesa')) return 'pagar';
  // "o João pagou ontem"
  const hasPaid = asked.isNamed && asked.isDated && /(?<!\bnao (me )?)\b(pagou|acertou)\b/.test(joined);
  if (hasPaid && valor === undefined) return 'pagar';
  if (orders && orders.has('cobrar') && !/\bcobrancas\b/.test(joined)) return 'cobrar';
  if (orders && orders.has('gerar') && /\b(cobranca|boleto|pix)\b/.test(joined)) return 'cobrar';
  if (/\b(quero|preciso|pode) cobrar\b/.test(joined)) return 'cobrar';
  if (valor === undefined || /\bnao (pagou|recebi|entrou)\b/.test(joined)) return undefined;
  const arrived = RECEIVED.test(joined) || (has('pagar') && !has('paguei'));
  if ((has('despesa', 'paguei') || (isExpense && !arrived)) && !/\b(pagou|recebi)\b/.test(joined))
    return 'despesa';
  const owes = /\b(devendo|deve|devem)\b/.test(joined);
  if (!owes && (isAdded || has('registrar') || RECEIVED.test(joined))) return 'receita';
  return undefined;
}

function comparison({ has, joined, periods }: Asked): Intent | undefined {
  if (periods >= 2 && /\b(e|com|ou|que|para)\b/.test(joined) && has('comparar', 'melhor', 'pior'))
    return 'comparar';
  if (has('comparar') && !has('dever')) return 'comparar';
  if (periods >= 2 && /\bx\b/.test(joined)) return 'comparar';
  if (periods >= 2 && /\b(mais|menos)\b.*\bou\b/.test(joined)) return 'comparar';
  if (/\b(mais|menos|melhor|pior) (do )?que\b/.test(joined) && periods >= 1) return 'comparar';
  if (/\b(relacao ao?|em relacao)\b/.test(joined)) return 'comparar';
  return undefined;
}

/** "deve" as an expectation, as in "Dezembro deve dar quanto?", not as a debt. */
const EXPECTS =
  /\b(devem?|deveria|vai|vao) (dar|render|entrar|cair|faturar|fazer|ficar|ser)\b|\bfalta(m|ndo)? (eu )?(entrar|cair|receber|ganhar)\b/;

function aboutPeople({ has, joined, isQuestion, isNamed, periods }: Asked): Intent | undefined {
  const owedLessons =
    has('aula') &&
    (/\b(devo|devidas|devida|devendo)\b/.test(joined) ||
      (has('dar') && !has('acabar')) ||
      /\bpagas? e nao\b|\bja pag[oa]s?\b|\bpagas\b/.test(joined));
  if (owedLessons && !/\bquem\b.*\bdevendo\b/.test(joined)) return 'aulas_devidas';
  if (
    has('credito') &&
    /\b(todos|total|soma|somados|circulacao|ao todo|em aberto|abertos)\b/.test(joined) &&
    !has('acabar')
  )
    return 'aulas_devidas';
  if (
    has('sumir') ||
    (/\b(nao|parou|pararam|deixou|deixaram)\b/.test(joined) && has('vir') && !has('credito'))
  )
    return 'sumindo';
  if ((has('aluno') || /\bquem\b/.test(joined)) && /\bfalta(m|ndo)? (muito|demais|direto)\b/.test(joined))
    return 'sumindo';
  if (/\bperdendo\b/.test(joined) && has('aluno')) return 'sumindo';
  if (isOwnBalance(joined, isNamed, periods)) return undefined;
  if (has('credito') || (has('acabar') && has('aula')) || /\b(quem|alunos?|plano)\b.*\brenov/.test(joined))
    return 'creditos';
  if (/\bsem aulas?\b/.test(joined)) return 'creditos';
  const isLeft =
    /\b(esta|estao) com (so )?(quantas|\d+|uma|duas|poucas)\b|\bainda (tem|possui)\b|\b(tem|possui) ainda\b|\b(rest|sobr)(a|am|ou|aram|ando)\b/.test(
      joined,
    );
  const isTheirs = isNamed && /\bquantas\b/.test(joined) && periods === 0 && !SOME_DAYS.test(joined);
  if (isQuestion && has('aula') && (isLeft || isTheirs)) return 'creditos';
  if (/\bdevo guardar|devo separar|devo reservar|devo receber|devo retirar|devo tirar\b/.test(joined))
    return undefined;
  if (EXPECTS.test(joined)) return undefined;
  // "quais cobranças vencem essa semana?": what is due on these days.
  const isDue = /\b(vence|vencem|vencendo|vencimentos?)\b/.test(joined) && !has('credito');
  if (isDue && !isNamed && periods > 0) return 'previsto';
  // "quanto vou receber da Ana?", "quanto o João vai pagar?": what is open.
  if (isNamed && (/\bvai (me )?pagar\b/.test(joined) || (has('vou') && /\breceber\b/.test(joined))))
    return 'devedores';
  if (/\bmenos de (\d+|um|uma|dois|duas) (dia|semana|mes)/.test(joined)) return undefined;
  if (has('dever') && !has('guardar', 'imposto')) return 'devedores';
  if (/\bquem\b.*\bvermelho\b/.test(joined)) return 'devedores';
  if (/\bna rua\b/.test(joined) && has('quanto', 'receber', 'dinheiro')) return 'devedores';
  if (/\bem dia\b/.test(joined) && (isNamed || has('quem'))) return 'devedores';
  const isSettled = /\bem dia\b|\b(pagou|quitou|acertou)\b/.test(joined);
  if (isQuestion && isSettled && periods === 0 && !has('quanto', 'quem')) return 'devedores';
  if (/\bnao (me )?(pagou|pagaram|pagam|acertou|acertaram|quitou|quitaram)\b/.test(joined))
    return 'devedores';
  if (
    /\bquem\b.*\bnao (me )?pag[ao]\b/.test(joined) ||
    /\b(quanto|o que) (eu )?(ainda )?nao recebi\b/.test(joined) ||
    (isNamed && /\bnao recebi\b/.test(joined))
  )
    return 'devedores';
  if (/\bfalta(m|ndo)? (me )?pagar\b/.test(joined) || /\b(falta|faltam|quem) .*\bpagar\b/.test(joined))
    return 'devedores';
  if (isQuestion && /\bquem\b.*\b(cobrar|cobro)\b/.test(joined)) return 'devedores';
  if (/\b(lista|quais)\b.*\bcobrancas?\b|\bcobrancas (abertas|em)\b/.test(joined)) return 'devedores';
  return undefined;
}

/** The trainer's own "saldo", which is money; a student's is in credits. */
const isOwnBalance = (joined: string, isNamed: boolean, periods: number): boolean =>
  /\bsaldo\b/.test(joined) &&
  !isNamed &&
  (periods > 0 || /\bmeu saldo\b|\bsaldo (na|da|em) (minha )?conta\b|\bcaixa\b|\bbanco\b/.test(joined));

function aboutMoney(asked: Asked): Intent | undefined {
  const { has, joined, texts, periods } = asked;
  const isMonth = /\b(mes|meses)\b/.test(joined);
  if (/\bmes (em )?que\b.*\bmais\b/.test(joined)) return 'melhor_mes';
  if (/\bmes (em )?que\b.*\bmenos\b/.test(joined)) return 'pior_mes';
  if (has('melhor') && (isMonth || /\brecorde\b/.test(joined)) && !has('meta')) return 'melhor_mes';
  if (has('pior') && isMonth) return 'pior_mes';
  if (
    isMonth &&
    /\bem (que|qual) mes\b|\b(que|qual) (foi )?(o )?mes\b/.test(joined) &&
    /\bmais\b/.test(joined)
  )
    return 'melhor_mes';
  if (isMonth && /\b(que|qual) (foi )?(o )?mes\b/.test(joined) && /\bmenos\b/.test(joined)) return 'pior_mes';
  if (has('meta')) return 'meta';
  if (isTaxPaid(asked)) return 'despesas';
  if (has('imposto') && !has('despesa')) return 'divisao';
  if (has('operacional', 'retirada') || /\blabore\b/.test(joined)) return 'divisao';
  if (has('guardar')) return 'guardar';
  if (
    /\bticket|tiquete\b/.test(joined) ||
    (/\bmedi[oa]\b/.test(joined) && has('aluno', 'recebi', 'pagar', 'quanto', 'preco'))
  )
    return 'ticket';
  if ((has('previsto') && !has('aula')) || EXPECTS.test(joined)) return 'previsto';
  if (has('recebi') && has('despesa', 'paguei') && /\b(recebi|ganhei|entrou|faturei) e\b/.test(joined))
    return 'lucro';
  if (has('lucro') || (periods > 0 && isOwnBalance(joined, asked.isNamed, periods))) return 'lucro';
  if (/\bpara mim\b/.test(joined) && has('quanto') && !/\b(rendeu|entrou|caiu)\b/.test(joined))
    return 'divisao';
  const isAhead = /\b(proximo mes|mes que vem|ano que vem)\b/.test(joined);
  if (
    /\b(a|vou|vai|vamos|devo|tenho|irei|para) (a |para )?(receber|entrar|ganhar|faturar|cair|fazer)\b/.test(
      joined,
    )
  )
    return 'previsto';
  if (isAhead && has('receber', 'recebi')) return 'previsto';
  if (has('despesa', 'paguei') && !/\bminhas contas\b/.test(joined)) return 'despesas';
  if (has('recebi')) return 'recebido';
  if (periods > 0 && /\bquanto (foi|deu|veio)\b|\b(foi|deu|veio) quanto\b|^som(a|ar|e)\b/.test(joined))
    return asked.isExpense ? 'despesas' : 'recebido';
  if (has('receber') && (has('quanto') || periods > 0)) return 'recebido';
  if (has('pagar') && (has('quanto', 'quem') || periods > 0)) return 'recebido';
  if (has('dinheiro') && has('quanto')) return 'recebido';
  return texts.length > 0 &&
    /\b(como (esta|foi|anda|vai|ta|estou|fui)|resumo|resultado|numeros|balanco|fechamento|desempenho)\b/.test(
      joined,
    ) &&
    (isMonth || periods > 0 || /\bnegocio|financ/.test(joined))
    ? 'lucro'
    : undefined;
}

function talk({ has, joined, texts, isQuestion }: Asked): Intent | undefined {
  if (has('obrigado') && texts.length <= 5 && !isQuestion) return 'obrigado';
  if (
    /\b(ajuda|ajudar|socorro)\b/.test(joined) ||
    /\bvoce (faz|sabe|consegue|pode|responde)\b|\bcomo (voce |isso )?funciona\b/.test(joined)
  )
    return 'ajuda';
  return /^(oi+|ola|oie|opa|eai|e ai|bom dia|boa tarde|boa noite)\b/.test(joined) && texts.length <= 4
    ? 'ajuda'
    : undefined;
}

const OVERDUE = /\b(mais de|acima de|ha|faz|a) (\d{1,3}|[a-z]+) (dias?|semanas?|mes|meses)\b/g;

/** The days in "atrasado há mais de um mês", "devendo há 15 dias". */
function overdueIn(joined: string): number | undefined {
  for (const [, what, count, unit] of joined.matchAll(OVERDUE)) {
    const number = NUMBERS[count!] ?? Number(count);
    const days = number * (unit!.startsWith('dia') ? 1 : unit!.startsWith('semana') ? 7 : 30);
    if (days > 0) return /^(mais|acima)/.test(what!) ? days + 1 : days;
  }
  return undefined;
}

/** Taxes that were paid, which are expenses; those to be paid are a share of what came in. */
const isTaxPaid = ({ has, joined }: Asked): boolean =>
  has('imposto') &&
  (has('paguei') ||
    /\b(gastei|gastamos|gasto|pagamos)\b|\b(impostos?|foi|foram) (ja )?pagos?\b/.test(joined));

/** "quem já pagou?", "quais alunos pagaram em outubro?" */
const isWho = ({ has, joined }: Asked): boolean =>
  has('pagar') &&
  /\bquem\b|\bquant[oa]s\b.*\bpagaram\b|\b(quais|que) (os )?(meus )?(alun[oa]s|clientes)\b/.test(joined);

function partOf({ has }: Asked): AllocationKind | undefined {
  if (has('imposto')) return 'imposto';
  if (has('operacional')) return 'operacional';
  return has('retirada') ? 'retirada' : undefined;
}

function methodIn(joined: string): Understood['metodo'] {
  if (/\b(cartao|credito|debito|maquininha)\b/.test(joined)) return 'cartao_credito';
  return /\b(dinheiro|especie)\b/.test(joined) ? 'dinheiro' : 'pix';
}
