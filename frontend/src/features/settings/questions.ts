import type { OnboardingData } from '../../../../backend/modules/settings/settings.api.js';
import { parseMoney } from '../../lib/money.js';

type Kind = 'count' | 'money' | 'text' | 'list' | 'yes-no';

interface Question {
  field: keyof OnboardingData;
  kind: Kind;
  text: string;
}

interface Block {
  title: string;
  questions: readonly Question[];
}

/** Spec 1, section 2: four blocks, eleven questions. */
export const blocks: readonly Block[] = [
  {
    title: 'Estrutura de atendimento',
    questions: [
      { field: 'alunos_ativos', kind: 'count', text: 'Quantos alunos ativos você tem hoje?' },
      {
        field: 'tipo_atendimento',
        kind: 'text',
        text: 'Como você atende? Por exemplo: presencial, online, em dupla, em grupo.',
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
        text: 'Como você recebe? Separe por vírgulas: pix, cartão, dinheiro…',
      },
      { field: 'emite_recibo', kind: 'yes-no', text: 'Você emite recibo para os alunos?' },
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
        text: 'Que tipo de plano você oferece? Por exemplo: mensal, pacote de sessões, sessão avulsa.',
      },
      { field: 'faz_desconto', kind: 'yes-no', text: 'Você costuma dar desconto?' },
      {
        field: 'tem_politica_cancelamento',
        kind: 'yes-no',
        text: 'Você tem uma política de cancelamento combinada com os alunos?',
      },
    ],
  },
  {
    title: 'Objetivos financeiros',
    questions: [
      {
        field: 'objetivos',
        kind: 'list',
        text: 'Quais são os seus objetivos? Separe por vírgulas: mais alunos, reserva, viajar…',
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

/** For each kind of question, parses the answer into the request's value; null if it is not understood. */
const readers: Record<Kind, (typed: string) => unknown> = {
  count: (typed) => {
    const count = (onlyNumber(typed) ?? NaN) / 100;
    return Number.isInteger(count) ? count : null;
  },
  money: onlyNumber,
  text: (typed) => typed,
  list: (typed) => {
    const items = typed
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean);
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
  list: 'Escreva pelo menos um item.',
  'yes-no': 'Responda sim ou não.',
};

/** The phone's keyboard for an answer, where it is not the one for text. */
export const keyboards: Partial<Record<Kind, 'numeric' | 'decimal'>> = { count: 'numeric', money: 'decimal' };

/** The parsed answer to a question, or null if it is not understood. */
export const readAnswer = (kind: Kind, typed: string): unknown => readers[kind](typed.trim());
