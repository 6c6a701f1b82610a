import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Named, whoIsMeant } from './names.js';
import { isOneSlip, slips, wordsOf } from './text.js';
import { meaningsOf, understand } from './understand.js';

const folder = new URL('../../../test/fixtures/advisor/', import.meta.url);
const today = '2026-11-20';
const names =
  'Ana Souza, João Pereira, Júlio Lima, Maria Clara Dias, Beatriz Ramos, Carlos Nunes, Rosa Alves, Luísa Dias Castro';
const students = names.split(', ').map((nome) => ({ id: nome, nome }));

interface Phrasing {
  meant: string;
  said: string;
}

const phrasingsOf = (half: string): Phrasing[] =>
  readFileSync(new URL(`${half}.txt`, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [meant, said] = line.split(' | ');
      return { meant: meant!, said: said! };
    });

/** A meaning in the corpus's notation: intent, period or the day of an order, age of a debt, amount and student. */
function reading(said: string): string {
  const read = understand(said, { today, students });
  if (read === undefined) return 'nada';
  if (typeof read === 'string') return read;
  const { intent, periods, pessoa, desconhecido, valor, dias, atraso, vencimento, feitoEm } = read;
  const when = [...dias, ...periods].map(({ de, ate }) => (de === ate ? de : `${de}..${ate}`)).join(',');
  const isAct = ['receita', 'despesa', 'cobrar', 'pagar', 'agendar'].includes(intent);
  const amount = (isAct || intent === 'e_se') && valor !== undefined ? `#${valor}` : '';
  const who = desconhecido === null ? pessoa.map(({ nome }) => `@${nome}`).join(' or ') : `@?${desconhecido}`;
  const late = atraso === undefined ? '' : `>${atraso - 1}`;
  const day = vencimento ?? (intent === 'pagar' ? feitoEm : null) ?? '';
  return [intent, isAct ? day : when, late, amount, who].filter((part) => part !== '').join(' ');
}

const misread = (all: readonly Phrasing[]) =>
  all
    .map(({ meant, said }) => ({ said, meant, read: reading(said) }))
    .filter(({ meant, read }) => meant !== read);

describe('the corpus', () => {
  const [tuning, measuring] = [phrasingsOf('tuning'), phrasingsOf('measuring')];

  it('has at least 300 phrasings, and its halves share none', () => {
    expect(tuning.length + measuring.length).toBeGreaterThanOrEqual(300);
    const tuned = new Set(tuning.map(({ said }) => said.toLowerCase()));
    expect(measuring.filter(({ said }) => tuned.has(said.toLowerCase()))).toEqual([]);
  });

  it('is understood in the half that was used to write the rules', () => {
    expect(misread(tuning)).toEqual([]);
  });

  it('is understood to 95 % in the half that the rules were not written with', () => {
    const wrong = misread(measuring);
    const share = 1 - wrong.length / measuring.length;
    process.stdout.write(
      `advisor: ${(share * 100).toFixed(1)} % of ${measuring.length} phrasings understood\n`,
    );
    // Does not show the failed ones, because rules must not be tuned with the half that measures.
    expect(share).toBeGreaterThanOrEqual(0.95);
  });
});

it.each(['constructor', 'quanto recebi no primeiro constructor', 'constructor trimestre'])(
  'the words "%s" are understood as text, although every object has a property of that name',
  (said) => expect(reading(said)).toEqual(expect.any(String)),
);

it('a month is not mistaken for a student with a similar name', () => {
  const known = { today, students: [{ id: 'marco', nome: 'Marco Lima' }] };
  const march = [{ de: '2026-03', ate: '2026-03' }];
  expect(understand('quanto recebi em março?', known)).toMatchObject({
    intent: 'recebido',
    periods: march,
    pessoa: [],
    desconhecido: null,
  });
  expect(understand('quanto gastei em Março?', known)).toMatchObject({ intent: 'despesas', periods: march });
  expect(understand('quanto o Marco deve?', known)).toMatchObject({ pessoa: known.students });
});

describe('names', () => {
  const meant = (said: string, among: readonly Named[] = students) =>
    whoIsMeant(wordsOf(said, new Set(), new Set()), among).found.map(({ nome }) => nome);

  it('are searched only in the first thirty words, to limit the time for a message', () => {
    const others = (count: number) => Array.from({ length: count }, () => 'xyz').join(' ');
    expect(meant(`${others(29)} Beatriz`)).toEqual(['Beatriz Ramos']);
    expect(meant(`${others(30)} Beatriz`)).toEqual([]);
  });

  it('may have one typing error, with the same result as the edit distance', () => {
    const letters = ['', 'a', 'b', 'ab', 'ba', 'aab', 'aba', 'abb', 'bab', 'abab', 'baba', 'abba', 'aabb'];
    for (const one of letters)
      for (const other of letters)
        expect([one, other, isOneSlip(one, other)]).toEqual([one, other, slips(one, other) === 1]);
  });
});

describe('a month that is also the name of a student', () => {
  const known = {
    today,
    students: [...students, { id: 'Marco Reis', nome: 'Marco Reis' }, { id: 'Abril Sá', nome: 'Abril Sá' }],
  };
  const read = (said: string) => {
    const meaning = understand(said, known);
    if (typeof meaning !== 'object') return meaning;
    const { pessoa, periods, ambiguo } = meaning;
    return [...pessoa.map(({ nome }) => nome), ...periods.map(({ de }) => de), ambiguo?.outra].filter(
      Boolean,
    );
  };

  it.each([
    ['quanto o Marco pagou?', ['Marco Reis']],
    ['quanto o marco pagou?', ['Marco Reis']],
    ['quanto a Abril pagou em maio?', ['Abril Sá', '2026-05']],
    ['quanto o Marco pagou em março?', ['Marco Reis', '2026-03']],
    ['quanto o marco pagou em marco?', ['Marco Reis', '2026-03']],
    ['o aluno Marco deve quanto?', ['Marco Reis']],
    ['marcar marco segunda 8h', ['Marco Reis']],
    ['quanto recebi em marco de', ['2026-03']],
    ['quanto recebi em marco?', ['2026-03']],
    ['quanto recebi em Marco?', ['2026-03']],
    ['recebimentos de marco', ['2026-03']],
    ['quanto recebi no mês de Marco?', ['2026-03']],
    ['quanto recebi de fevereiro a marco?', ['2026-02']],
    ['quanto recebi de Marco de 2025?', ['2025-03']],
    ['quanto recebi março?', ['2026-03']],
  ])('"%s" is read without doubt', (said, meant) => {
    expect(read(said)).toEqual(meant);
  });

  it.each([
    ['Marco pagou quanto?', ['Marco Reis', 'em março pagou quanto?']],
    ['marco já pagou?', ['Marco Reis', 'em março já pagou?']],
    ['quanto recebi de Marco?', ['Marco Reis', 'quanto recebi em março?']],
    ['quanto recebi marco?', ['2026-03', 'quanto recebi do Marco?']],
  ])('"%s" is read with the other meaning beside it', (said, meant) => {
    expect(read(said)).toEqual(meant);
  });

  it('is the month for a trainer without such a student', () => {
    expect(understand('quanto o Marco recebeu?', { today, students })).toMatchObject({ ambiguo: undefined });
  });
});

it.each([
  ['quanto entrou no cartão mês passado?', { meio: 'cartao_credito' }],
  ['pix de outubro quanto deu', { meio: 'pix' }],
  ['quanto dinheiro entrou em outubro?', { meio: undefined }],
  ['quanto gastei de gasolina esse mês?', { categoria: 'transporte' }],
  ['quanto paguei de das esse ano', { categoria: 'impostos' }],
  ['quanto gastei esse mês?', { categoria: undefined }],
  ['quanto entra no pix amanhã?', { intent: 'previsto', meio: undefined }],
  ['quanto a Ana paga amanhã?', { intent: 'recebido', pessoa: [{ nome: 'Ana Souza' }] }],
])('"%s" asks about the part %j', (said, part) => {
  expect(understand(said, { today, students })).toMatchObject(part);
});

describe('several questions in one message', () => {
  const asked = (message: string) =>
    meaningsOf(message, { today, students }).map(({ meaning }) =>
      typeof meaning === 'object' ? [meaning.intent, ...meaning.periods.map(({ de }) => de)] : meaning,
    );

  it.each([
    ['quanto recebi? e quem está devendo?', [['recebido'], ['devedores']]],
    [
      'quanto recebi em outubro e quanto gastei?',
      [
        ['recebido', '2026-10'],
        ['despesas', '2026-10'],
      ],
    ],
    ['quanto a Ana e o João devem?', [['devedores']]],
    ['bom dia, tudo bem? quanto recebi?', [['recebido']]],
    ['quanto recebi? quanto gastei? quem deve? qual o lucro? qual a meta?', ['many']],
  ])('“%s” is read as %j', (message, meanings) => {
    expect(asked(message)).toEqual(meanings);
  });
});

describe('a follow-up', () => {
  it.each([
    [
      'e a Ana?',
      ['quanto recebi em julho?'],
      { intent: 'recebido', periods: [{ de: '2026-07', ate: '2026-07' }] },
    ],
    [
      'e as despesas?',
      ['quanto recebi em julho?'],
      { intent: 'despesas', periods: [{ de: '2026-07', ate: '2026-07' }] },
    ],
    ['e o João?', ['e a Ana?', 'quanto recebi em julho?'], { periods: [{ de: '2026-07', ate: '2026-07' }] }],
    [
      'e ontem?',
      ['quanto gastei hoje?'],
      { intent: 'despesas', dias: [{ de: '2026-11-19', ate: '2026-11-19' }] },
    ],
    ['e há mais de um mês?', ['quem está devendo?'], { intent: 'devedores', atraso: 31 }],
    ['quanto recebi?', ['quanto gastei ontem?'], { intent: 'recebido', periods: [], dias: [] }],
    ['e se eu cobrasse 20 a mais?', ['quanto recebi em julho?'], { intent: 'e_se', periods: [] }],
    ['já recebi da Ana?', ['quanto recebi em julho?'], { intent: 'recebido', periods: [] }],
  ])('“%s” after %j is understood', (message, before, meant) => {
    expect(understand(message, { today, students, before })).toMatchObject(meant);
  });
});

describe('a question about something else', () => {
  it.each([
    ['da pra tirar férias em janeiro?', ['quanto de imposto este mês?']],
    ['e da pra viajar em janeiro?', ['quanto recebi em outubro?']],
    ['quem faltou menos esse mês?', ['quanto recebi em outubro?']],
    ['quem nunca faltou?', ['quem faltou mais?']],
  ])('“%s” does not take over the topic of %j', (message, before) => {
    expect(understand(message, { today, students, before })).toBeUndefined();
  });

  it.each([
    ['e em outubro?', ['quanto de imposto este mês?'], { intent: 'divisao' }],
    ['em setembro?', ['quanto gastei em outubro?'], { intent: 'despesas' }],
  ])('“%s” continues %j', (message, before, meant) => {
    expect(understand(message, { today, students, before })).toMatchObject(meant);
  });
});

it.each([
  ['quanto recebi no ano de 2026?', { periods: [{ de: '2026-01', ate: '2026-11' }], dias: [] }],
  ['quanto recebi no ano de 2025?', { periods: [{ de: '2025-01', ate: '2025-12' }], dias: [] }],
  ['quanto recebi neste mês de novembro?', { periods: [{ de: '2026-11', ate: '2026-11' }], dias: [] }],
  ['quanto recebi hoje, dia 20?', { periods: [], dias: [{ de: '2026-11-20', ate: '2026-11-20' }] }],
])('“%s” names one period', (said, spans) => {
  expect(understand(said, { today, students })).toMatchObject(spans);
});

it.each([
  ['quem faltou mais esse mês', { periods: [{ de: '2026-11', ate: '2026-11' }] }],
  ['quem mais faltou em outubro?', { periods: [{ de: '2026-10', ate: '2026-10' }] }],
  ['quais alunos faltaram ontem?', { dias: [{ de: '2026-11-19', ate: '2026-11-19' }] }],
  ['quantas faltas a Ana teve?', { pessoa: [{ nome: 'Ana Souza' }] }],
])('“%s” asks who did not show up', (said, meant) => {
  expect(understand(said, { today, students })).toMatchObject({ intent: 'faltas', ...meant });
});

it.each(['quem faltou pagar?', 'quem falta pagar?'])('“%s” asks who owes', (said) => {
  expect(understand(said, { today, students })).toMatchObject({ intent: 'devedores' });
});

describe('a name', () => {
  it.each([
    ['quanto o João deve?', ['João Pereira'], null],
    ['quanto o João Perera deve?', ['João Pereira'], null],
    ['quanto o João Silva deve?', [], 'João Silva'],
    ['quanto o joão lima deve?', [], 'joão lima'],
    ['quanto a Ana e o João devem?', ['Ana Souza', 'João Pereira'], null],
    ['recebi 200 da Ana Paula', [], 'Ana Paula'],
  ])('in “%s” is of %j, or of a stranger: %j', (message, found, stranger) => {
    const read = understand(message, { today, students });
    expect(typeof read === 'object' && [read.pessoa.map(({ nome }) => nome), read.desconhecido]).toEqual([
      found,
      stranger,
    ]);
  });
});
