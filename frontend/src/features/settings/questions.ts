import type { OnboardingData } from '../../../../backend/modules/settings/settings.api.js';
import { formatMoney, parseMoney } from '../../lib/money.js';

type Kind = 'count' | 'money' | 'text' | 'list' | 'yes-no';

interface Question {
  field: keyof OnboardingData;
  kind: Kind;
  text: string;
  /** Answers that one tap gives; those to a text or a list can be combined. */
  choices?: readonly string[];
}

interface Block {
  title: string;
  questions: readonly Question[];
}

const YES_OR_NO = ['Sim', 'Não'];

/** Spec 1, section 2: four blocks, eleven questions. */
export const blocks: readonly Block[] = [
  {
    title: 'Estrutura de atendimento',
    questions: [
      { field: 'alunos_ativos', kind: 'count', text: 'Quantos alunos ativos você tem hoje?' },
      {
        field: 'tipo_atendimento',
        kind: 'text',
        text: 'Como você atende?',
        choices: ['Presencial', 'Online', 'Em dupla', 'Em grupo'],
      },
      {
        field: 'ticket_medio_mensal',
        kind: 'money',
        text: 'Quanto, em média, cada aluno paga por mês? (em reais)',
      },
    ],
  },
  {
    title: 'Rotina financeira',
    questions: [
      {
        field: 'formas_cobranca',
        kind: 'list',
        text: 'Como você recebe?',
        choices: ['Pix', 'Dinheiro', 'Cartão'],
      },
      {
        field: 'emite_recibo',
        kind: 'yes-no',
        text: 'Você emite recibo para os alunos?',
        choices: YES_OR_NO,
      },
      {
        field: 'faturamento_mensal_medio',
        kind: 'money',
        text: 'Qual é o seu faturamento médio por mês? (em reais)',
      },
    ],
  },
  {
    title: 'Gestão de agenda',
    questions: [
      {
        field: 'tipo_planos',
        kind: 'text',
        text: 'Que tipo de plano você oferece?',
        choices: ['Mensal', 'Pacote de sessões', 'Sessão avulsa'],
      },
      {
        field: 'faz_desconto',
        kind: 'yes-no',
        text: 'Você costuma dar desconto?',
        choices: YES_OR_NO,
      },
      {
        field: 'tem_politica_cancelamento',
        kind: 'yes-no',
        text: 'Você tem uma política de cancelamento combinada com os alunos?',
        choices: YES_OR_NO,
      },
    ],
  },
  {
    title: 'Objetivos financeiros',
    questions: [
      {
        field: 'objetivos',
        kind: 'list',
        text: 'Quais são os seus objetivos?',
        choices: ['Mais alunos', 'Ganhar mais', 'Fazer reserva', 'Ter mais tempo'],
      },
      {
        field: 'meta_faturamento_6meses',
        kind: 'money',
        text: 'Quanto você quer faturar nos próximos 6 meses, somando tudo? (em reais)',
      },
    ],
  },
];

export const questions: readonly (Question & { block: string })[] = blocks.flatMap(
  ({ title, questions: asked }) => asked.map((question) => ({ ...question, block: title })),
);

const YES =
  /^(s|ss|sim|claro|com certeza|certamente|lógico|óbvio|positivo|isso|aham|uhum|ok|sempre|tenho|dou|emito)(?!\p{L})/u;

/** Negative numbers, such as "-500" and "R$ -500"; not "mais ou menos 10-15", which is a range. */
const BELOW_ZERO = /(^|\s)[-−–]\s*(R\$\s*)?\d/i;

const NUMBER = /(?:R\$\s*)?\d(?:[\d.,]|\s(?=\d{3}(?!\d)))*(?:\s*(?:mil|k)(?!\p{L}))?/giu;
/** Words that leave a number beside them as it is. */
const BESIDE_A_NUMBER = new Set(
  (
    'a acho alunas aluno alunos ao aproximadamente ativos atualmente cada cerca cobro com da dá de do e é em entorno ' +
    'eu faturo ganho hoje média medio médio menos mensais mensal mensalmente mes mês meses meta mais na no ou pagam ' +
    'paga pessoas por quase que quero reais real recebo são temos tenho ter todo torno total tudo um uma umas uns'
  ).split(' '),
);

/** The one number of an answer; null where there are others, or words that may change it ("10 milhões", "dois mil"). */
function onlyNumber(typed: string): number | null {
  const numbers = typed.match(NUMBER);
  const words =
    typed
      .replace(NUMBER, ' ')
      .toLowerCase()
      .match(/[\p{L}%]+/gu) ?? [];
  if (BELOW_ZERO.test(typed) || numbers?.length !== 1) return null;
  return words.every((word) => BESIDE_A_NUMBER.has(word))
    ? parseMoney(numbers[0].replace(/[.,]$/, ''))
    : null;
}

const itemsOf = (typed: string) =>
  typed
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** For each kind of question, parses the answer into the request's value; null if it is not understood. */
const readers: Record<Kind, (typed: string) => unknown> = {
  count: (typed) => {
    const count = (onlyNumber(typed) ?? NaN) / 100;
    return Number.isInteger(count) ? count : null;
  },
  money: onlyNumber,
  text: (typed) => typed,
  list: (typed) => {
    const items = itemsOf(typed.toLowerCase());
    return items.length > 0 ? items : null;
  },
  // An answer that begins with n means no, such as "não, às vezes".
  'yes-no': (typed) => {
    const said = typed.toLowerCase();
    if (said.startsWith('n')) return false;
    return YES.test(said) || /\bsim\b/.test(said) ? true : null;
  },
};

export const hints: Record<Kind, string> = {
  count: 'Não entendi a quantidade. Escreva só o número, por exemplo 20.',
  money: 'Não entendi o valor. Escreva só o número, por exemplo 1.500,00.',
  text: 'Escreva um pouco sobre isso.',
  list: 'Escolha ou escreva pelo menos um item.',
  'yes-no': 'Responda sim ou não.',
};

/** The parsed answer to a question, or null if it is not understood. */
export const readAnswer = (kind: Kind, typed: string): unknown => readers[kind](typed.trim());

/** Whether the items of an answer contain a choice. */
export const isChosen = (typed: string, choice: string): boolean =>
  itemsOf(typed.toLowerCase()).includes(choice.toLowerCase());

/** The answer with a choice, or without it where it was chosen before. */
export const toggled = (typed: string, choice: string): string =>
  (isChosen(typed, choice)
    ? itemsOf(typed).filter((item) => item.toLowerCase() !== choice.toLowerCase())
    : [...itemsOf(typed), choice]
  ).join(', ');

const GOAL: Question['field'] = 'meta_faturamento_6meses';
const inAMonth = (goal: number) => Math.round(goal / 6);

/** What was understood of an amount; null for other answers. */
export function understood({ field, kind }: Question, typed: string): string | null {
  const cents = kind === 'money' ? onlyNumber(typed) : null;
  if (cents === null) return null;
  return field === GOAL && cents > 0
    ? `${formatMoney(cents)} em 6 meses, certo? Dá ${formatMoney(inAMonth(cents))} por mês.`
    : `${formatMoney(cents)}, certo?`;
}

/** From what to what an amount is plausible, in cents. */
const MONTHLY = [10_000, 50_000_000] as const;
const PER_STUDENT = [2_000, 1_000_000] as const;

const isOutside = (cents: number, [least, most]: readonly [number, number]) => cents < least || cents > most;

/**
 * Asks about an understood answer that is hardly meant, such as thousands typed as units; null for others.
 * @param revenue of a month, as answered before
 */
export function doubtAbout(field: Question['field'], value: unknown, revenue: number): string | null {
  if (typeof value !== 'number' || value === 0) return null;
  const doubted = (words: string) => `${words}? Confira.`;
  switch (field) {
    case 'ticket_medio_mensal':
      return isOutside(value, PER_STUDENT) ? doubted(`${formatMoney(value)} por aluno`) : null;
    case 'faturamento_mensal_medio':
      return isOutside(value, MONTHLY) ? doubted(`${formatMoney(value)} por mês`) : null;
    case GOAL: {
      const monthly = inAMonth(value);
      const words = `${formatMoney(monthly)} por mês`;
      if (isOutside(monthly, MONTHLY)) return doubted(words);
      return monthly < revenue ? doubted(`${words}, menos que os ${formatMoney(revenue)} de hoje`) : null;
    }
    default:
      return null;
  }
}
