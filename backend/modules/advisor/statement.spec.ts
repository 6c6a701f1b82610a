import { describe, expect, it } from '@jest/globals';
import { actAnswer } from './acts.js';
import { namesOf } from './names.js';
import { statementIn } from './statement.js';
import { understand } from './understand.js';

/** A Friday. */
const today = '2026-11-20';
const students = ['Sofia Melo', 'Rodrigo Lima', 'Lara Dias', 'Otávio Reis', 'Ana Nunes', 'Vera Nem'].map(
  (nome) => ({ id: nome, nome }),
);
const keep = namesOf(students);
const stated = (message: string) => statementIn(message, { today, students, keep });

/** The acts that an answer does at once. */
function done(message: string) {
  const read = understand(message, { today, students });
  if (typeof read !== 'object' || !(read.intent === 'receita' || read.intent === 'despesa')) return [];
  const answer = actAnswer(read, {
    message,
    today,
    timezone: 'America/Sao_Paulo',
    plano: null,
    abertas: [],
    usual: null,
  });
  return answer.flatMap(({ ato }) => (ato?.tipo === 'lancamento' && ato.agora ? [ato.corpo] : []));
}

const list = (text: string): string[] => text.split('|');
/** All texts with one of each list in its place; `_` stands for nothing. */
const all = (...lists: readonly (readonly string[])[]): string[] =>
  lists
    .reduce<string[]>((texts, next) => texts.flatMap((text) => next.map((one) => `${text} ${one}`)), [''])
    .map((text) => text.replace(/ _(?= |$)/g, '').trim());

const SUBJECTS = list(
  'a sofia|rodrigo|A Lara|o Otávio|ANA|ela|a Zuleika|minha aluna Sofia|a ana e o rodrigo|vera',
);
const PRONOUNS = list('_|me|te|lhe|nos');
const PAID = list('pagou|transferiu|depositou|deu|mandou|passou');
const AMOUNTS = list('90|R$\u00a090,00|os 90|noventa reais|1,5 mil|cem conto');
const ENDS = list('_|ontem|no pix|hoje em dinheiro');

/** Every how many-th of the sentences is tried: all of them would take a minute. */
const EVERY = 4;

/** Sentences that say that nothing was paid, or not now, or not for sure, or not for good. */
const UNPAID = [
  ...all(
    SUBJECTS,
    list('não|nao|n|ñ|num|nunca|jamais|nem|NÃO|n\u200bão|n\u00adao|ｎão|naum|nãooo|não é que'),
    PRONOUNS,
    PAID,
    AMOUNTS,
  ),
  ...all(
    SUBJECTS,
    list(
      'quase|talvez|acho que|parece que|será que|se|caso|quando|só|ainda não|diz que|disse que|jura que|falou que',
    ),
    PRONOUNS,
    PAID,
    AMOUNTS,
  ),
  ...all(
    list(
      'acho que|talvez|se|caso|quando|disse que|a lara disse que|diz que|me falaram que|esquece que|esquece os 80, porque|tomara que|queria que|espero que|imagina que|não é verdade que|é mentira que|será que|vai que|nem sei se|duvido que|capaz que|finge que|e se|a lara jura que',
    ),
    SUBJECTS.slice(0, 5),
    list('_|me'),
    PAID,
    list('90|noventa reais'),
    list('_|ontem'),
  ),
  ...all(
    SUBJECTS,
    list(
      'vai pagar|ia pagar|iria pagar|vai me pagar|ficou de pagar|ficou de me pagar|prometeu pagar|prometeu|tá devendo|deve|está me devendo|faltou pagar|falta pagar|esqueceu de pagar|quer pagar|precisa pagar|pagaria|pagará|pague|pagasse|paga|pagava|tinha pago|teria pago|combinou de pagar|quase pagou|deixou de pagar|parou de pagar|pode pagar|devolveu|pediu|cobrou|negou|recebeu|ganhou|gastou|pagô não|pag|pg|apgou|pagpu|pgou|pagouu-me',
    ),
    AMOUNTS,
    ENDS,
  ),
  ...all(
    SUBJECTS.slice(0, 5),
    PRONOUNS.slice(0, 2),
    PAID,
    AMOUNTS,
    list(
      'mas devolvi|mas estornei|e eu devolvi|mas voltou|mas não caiu|só que não|só pra ver|?|né|né?|mentira|brincadeira|kkk|kk|k|de brincadeira|na verdade não|aliás não|não era isso|esquece|cancela|apaga isso|errado|por engano|e pediu de volta|a menos|de desconto|pro Rodrigo|pra academia|de aluguel|de gasolina|...|…|😢|🤔|❌|amanhã|semana que vem|mês que vem|se eu der aula|quando der|de mentira|em 3x|em duas vezes|e depois 50|ou 100|segundo ela|uma ova|kkk|só se fizer sol',
    ),
  ),
  ...all(
    list(
      'não|nao|nunca|nem|quase|se|talvez|acho que|ainda não|queria que|vou|ia|quando|esquece que|na verdade não|não sei se',
    ),
    list('recebi|receber|recebo|gastei|paguei|entrou|caiu|ganhei'),
    list('90|noventa reais|R$\u00a090'),
    list('da ana|da sofia no pix|com gasolina|de aluguel|no mercado ontem'),
  ),
  ...all(
    list('recebi|ganhei|gastei|paguei|entrou|caiu|comprei'),
    list(
      '90|noventa reais|R$\u00a090|90 e 80|-90|90%|90²|90 dólares|uns 90|quase 90|mais de 90|2 x 90|vinte trinta',
    ),
    list('da ana|da sofia no pix|com gasolina|de aluguel|no mercado ontem'),
    list(
      '?|mas devolvi|e estornei|não|né|na verdade não|amanhã|depois|dia 25 de dezembro|se der|😢|...|ops|esquece|brincadeira|quer dizer 80|do mês que vem|pra minha mãe|da Zuleika',
    ),
  ),
  ...all(
    list(
      'paga|pague|me paga|cobra|cobre|recebe|manda a ana pagar|pede|pede pra sofia|transfere|registra|anota|lança|devolve|pagar|receber',
    ),
    list('90|noventa reais|R$\u00a090'),
    list('da ana|pra sofia|ao rodrigo|de aluguel|pro otávio no pix'),
  ),
  ...all(
    list('quem|quando|quanto|por que|como|onde|cadê'),
    list('me pagou 90|pagou 90 ontem|recebi 90 da ana|gastei 90'),
  ),
  ...all(
    SUBJECTS.slice(0, 5),
    list('pagou 90 pra|deu 90 pra|transferiu 90 pro|mandou um pix de 90 pra'),
    list('sofia|academia|Rodrigo|ele|mim não'),
  ),
  'recebi 9̶0̶ da ana',
  'recebi 90kkk da ana',
  'recebi 90 da ana \u202eon',
  'caiu 90',
  '"recebi 90 da ana"',
  '(recebi 90 da ana)',
  '~recebi 90 da ana~',
  'ana: paguei 90 de aluguel',
  'nem pagou 70',
  'a nem pagou 70',
];

it('no sentence records money at once that was not paid, or may not have been', () => {
  const sentences = [...new Set(UNPAID)]
    .filter((_, n) => n % EVERY === 0)
    .map((said, n) => (n % 4 === 0 ? said.toUpperCase() : said));
  expect(sentences.length).toBeGreaterThan(20_000);
  process.stdout.write(`advisor: ${sentences.length} sentences about money that was not paid\n`);
  expect(sentences.filter((said) => stated(said))).toEqual([]);
  // The whole way, for some of them.
  expect(sentences.filter((said, n) => n % 50 === 0 && done(said).length > 0)).toEqual([]);
});

describe('a plain statement is recorded at once:', () => {
  const AMOUNT = list('90|R$\u00a090|R$\u00a090,00|90 reais|noventa|noventa reais|90 conto|os 90');
  const HOW = list('_|no pix|em dinheiro|no cartão|via pix');
  const WHEN = list('_|hoje|ontem|dia 12|na segunda-feira|em 18/11');
  const received = [
    ...all(
      list('recebi|eu recebi|Oi, recebi|RECEBI|entrou|caiu'),
      AMOUNT,
      list('da Ana|da ana nunes|do rodrigo|da minha aluna Sofia'),
      HOW,
      WHEN,
    ),
    ...all(
      WHEN,
      list(
        'a sofia me pagou|Sofia pagou|o otavio já me pagou|A LARA ME DEU|a ana fez um pix de|rodrigo transferiu',
      ),
      AMOUNT,
      HOW,
      list('_|🎉|da mensalidade'),
    ),
    ...all(list('entrada de|recebimento de|recebi|me pagaram'), AMOUNT.slice(0, 4), HOW, WHEN),
  ].filter((said, n) => n % EVERY === 0 && !/de os |^caiu 90(?!.*(Ana|rodrigo|nunes|Sofia))/.test(said));
  const spent = [
    ...all(
      list('gastei|paguei|Ontem gastei'),
      AMOUNT,
      list('com gasolina|de aluguel|no mercado|no uber|de academia|com internet'),
      HOW,
    ),
    ...all(
      list('comprei'),
      list('elásticos|material|um colchonete'),
      list('por 90|por noventa reais'),
      HOW,
      WHEN,
    ),
  ];

  it('a payment received', () => {
    expect(
      received.filter((said) => stated(said)?.is !== 'receita' || stated(said)?.valor !== 9_000),
    ).toEqual([]);
    expect(received.filter((said, n) => n % 50 === 0 && done(said)[0]?.valor !== 9_000)).toEqual([]);
  });

  it('an expense made', () => {
    expect(spent.filter((said) => stated(said)?.is !== 'despesa' || stated(said)?.valor !== 9_000)).toEqual(
      [],
    );
    expect(spent.filter((said, n) => n % 20 === 0 && done(said)[0]?.tipo !== 'despesa')).toEqual([]);
  });

  it.each([
    [
      'recebi 90 da Ana no pix',
      { valor: 9_000, data: today, student_id: 'Ana Nunes', metodo_pagamento: 'pix' },
    ],
    ['a sofia me pagou 90 ontem', { valor: 9_000, data: '2026-11-19', student_id: 'Sofia Melo' }],
    ['gastei 45,90 com gasolina', { valor: 4_590, descricao: 'Gasolina', categoria: 'transporte' }],
    ['paguei 300 de aluguel', { valor: 30_000, descricao: 'Aluguel', categoria: 'aluguel' }],
    ['recebi dois mil e quinhentos do otavio', { valor: 250_000, student_id: 'Otávio Reis' }],
  ])('“%s”', (said, entry) => {
    expect(done(said)).toMatchObject([entry]);
  });
});

it.each([
  ['rodrigo pagou 378 mas devolvi', 'held'],
  ['esquece os 90 que o otavio pagou', 'held'],
  ['se a sofia pagar 100 registra', 'held'],
  ['a lara disse que pagou 80 ontem', 'held'],
  ['não gastei 90 com gasolina', 'held'],
])('“%s” offers nothing', (said, meaning) => {
  expect(understand(said, { today, students })).toBe(meaning);
});

it.each([
  'a sofia não me pagou 90',
  'otavio nunca me pagou 100',
  'lara nem pagou 70',
  'ana num pagou 80',
  'sofia pagou uma ova',
])('“%s” is answered with what is open', (said) =>
  expect(understand(said, { today, students })).toMatchObject({ intent: 'devedores' }),
);
