import type { AllocationKind, ExpenseCategory } from '../finance/finance.api.js';
import type { Asked } from './asked.js';
import {
  BY_METHOD,
  type Concept,
  conceptsOf,
  NUMBERS,
  OF_A_PART,
  RECEIVED,
  RULES,
  TAX_PAID,
  WHO_PAID,
} from './lexicon.js';

/** What a message asks for or orders. */
export type Intent =
  | 'recebido'
  | 'previsto'
  | 'a_receber'
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
  | 'faltas'
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

export const ACTS: ReadonlySet<Intent> = new Set(['receita', 'despesa', 'cobrar', 'pagar', 'agendar']);

const SUMMED_UP = 'recebido previsto despesas lucro guardar divisao ticket comparar faltas'.split(' ');
export const isSummedUp = (intent: Intent): boolean => SUMMED_UP.includes(intent);

type Condition = (asked: Asked) => boolean;

/** What a message is like, besides its words. */
const FLAGS: Readonly<Record<string, Condition>> = {
  added: ({ isAdded }) => isAdded,
  brief: ({ texts }) => texts.length <= 5,
  category: (asked) => categoryAsked(asked) !== null,
  dated: ({ isDated }) => isDated,
  denied: ({ mood }) => mood === 'denied',
  expense: ({ isExpense }) => isExpense,
  mood: ({ mood }) => mood !== undefined,
  named: ({ isNamed }) => isNamed,
  percent: ({ percent }) => percent !== undefined,
  question: ({ isQuestion }) => isQuestion,
  several: ({ periods }) => periods >= 2,
  short: ({ texts }) => texts.length <= 4,
  timed: ({ periods }) => periods > 0,
  valued: ({ valor }) => valor !== undefined,
  who: (asked) => isWho(asked),
};

/** Words before the verb of an order. */
const BEFORE_AN_ORDER = ['por', 'favor', 'oi', 'ola', 'quero', 'pode', 'preciso', 'voce'];

function testOf(said: string): Condition {
  const [sign, rest] = [said[0]!, said.slice(1)];
  if (sign === '!') {
    const test = testOf(rest);
    return (asked) => !test(asked);
  }
  const concepts = rest.split(' ') as Concept[];
  if (sign === '@') return ({ has }) => has(...concepts);
  if (sign === '>')
    return ({ texts }) => {
      const orders = conceptsOf(texts.find((text) => !BEFORE_AN_ORDER.includes(text)) ?? '');
      return concepts.some((concept) => orders.has(concept));
    };
  if (sign === '#') return FLAGS[rest]!;
  const words = new RegExp(`\\b(?:${said})\\b`);
  return ({ joined }) => words.test(joined);
}

/**
 * A condition, in the notation of the lexicon: tests that hold all (" & "), or of which one holds (" or ", which binds closer). A
 * test is an expression in the message, a concept of it ("@": any of these), one of its first word (">"), or a flag ("#"); "!" is not.
 */
function conditionOf(said: string): Condition {
  const all = said.split(' & ').map((any) => any.split(' or ').map(testOf));
  return (asked) => all.every((any) => any.some((test) => test(asked)));
}

const rulesOf = (text: string): readonly (readonly [of: string, holds: Condition])[] =>
  text
    .trim()
    .split('\n')
    .map((rule) => rule.split(' = ') as [string, string])
    .map(([of, said]) => [of, conditionOf(said)]);

const GROUPS = RULES.split('\n\n').map(rulesOf);

export function intentOf(asked: Asked): Intent | undefined {
  for (const rules of GROUPS) {
    const [of] = rules.find(([, holds]) => holds(asked)) ?? ['-'];
    if (of !== '-') return of === 'x' ? undefined : (of as Intent);
  }
  return undefined;
}

const PARTS = rulesOf(OF_A_PART);

/** Whether it asks about a part of a sum, or about persons, that no figure answers. */
export const isOfAPart = (intent: Intent, asked: Asked): boolean =>
  PARTS.some(([of, holds]) => {
    const isNamed = of.replace('!', '').split(' ').includes(intent);
    return isNamed !== of.startsWith('!') && holds(asked);
  });

export const isByMethod = conditionOf(BY_METHOD);
/** Whether a message is about an amount that was, or was not, paid or spent; but it may be no plain statement. */
export const isClaim = conditionOf(`!#question & #valued & @pagar paguei despesa or ${RECEIVED}`);
export const isWho = conditionOf(WHO_PAID);
const isTaxPaid = conditionOf(TAX_PAID);

export const categoryAsked = (asked: Asked): ExpenseCategory | null =>
  isTaxPaid(asked) ? 'impostos' : asked.categoria;

const OVERDUE = /\b(mais de|acima de|ha|faz|a) (\d{1,3}|[a-z]+) (dias?|semanas?|mes|meses)\b/g;

/** The days in "atrasado há mais de um mês", "devendo há 15 dias". */
export function overdueIn(joined: string): number | undefined {
  for (const [, what, count, unit] of joined.matchAll(OVERDUE)) {
    const number = NUMBERS.get(count!) ?? Number(count);
    const days = number * (unit!.startsWith('dia') ? 1 : unit!.startsWith('semana') ? 7 : 30);
    if (days > 0) return /^(mais|acima)/.test(what!) ? days + 1 : days;
  }
  return undefined;
}

export const partOf = ({ has }: Asked): AllocationKind | undefined =>
  (['imposto', 'operacional', 'retirada'] as const).find((kind) => has(kind));

export type Method = 'pix' | 'cartao_credito' | 'dinheiro';

export function methodIn(joined: string): Method {
  if (/\b(cartao|credito|debito|maquininha)\b/.test(joined)) return 'cartao_credito';
  return /\b(dinheiro|especie)\b/.test(joined) ? 'dinheiro' : 'pix';
}
