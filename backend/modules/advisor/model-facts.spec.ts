import { expect, it } from '@jest/globals';
import { ModelFacts } from './model-facts.js';
import { ModelNames } from './model-names.js';
import { money } from './saying.js';

const ana = { id: 'id-ana', nome: 'Ana Souza' };
const bia = { id: 'id-bia', nome: 'Beatriz Ramos' };

function told(withNames = false) {
  const facts = new ModelFacts(new ModelNames({ active: [ana, bia], archived: [], removed: [] }, withNames));
  const figure = (cents: number) => {
    const { content, fonte } = money(cents, '/cobrancas');
    return { texto: content, fonte: fonte! };
  };
  const heard = facts.tell([
    { o_que: 'em aberto', ...figure(100), aluno: ana },
    { o_que: 'vencido', ...figure(200), aluno: ana },
    { o_que: 'período', texto: 'em novembro', fonte: '/financeiro', isPeriod: true },
  ]);
  const text = (said: string) =>
    facts
      .answer(said)
      ?.map(({ content }) => content)
      .join('');
  return { facts, heard, text };
}

it('each fact has an id, and its student has one id for all facts', () => {
  expect(told().heard).toEqual([
    { id: 'f1', o_que: 'em aberto', texto: 'R$\u00a01,00', aluno: { id: 'a1', nome: 'Aluno A' } },
    { id: 'f2', o_que: 'vencido', texto: 'R$\u00a02,00', aluno: { id: 'a1', nome: 'Aluno A' } },
    { id: 'f3', o_que: 'período', texto: 'em novembro' },
  ]);
  expect(told(true).heard[0]!.aluno).toEqual({ id: 'a1', nome: 'Ana Souza' });
});

it('an answer contains the figures of its placeholders, and explains them at its end', () => {
  const { text } = told();
  expect(text('{{a1}} deve {{ f1 }} {{f3}}, e Aluno A sabe: _é pouco_ ({{f1}}).')).toBe(
    'Ana Souza deve R$\u00a01,00 em novembro, e Ana Souza sabe: é pouco (R$\u00a01,00).\n\nNúmeros usados:\n• em aberto, Ana Souza: R$\u00a01,00',
  );
});

it.each([
  'Deve 5.',
  'Deve {{f1}} mil',
  'Deve {{f1}} e dois',
  'Deve {{f9}}',
  'Deve {{a2}} {{f1}}',
  '{{a1}} deve.',
  '{{f1}}{{f2}}',
  '{{f1}}k',
  '−{{f1}}',
  '1{{f1}}',
  'US$ {{f1}}',
  '{{f1}}%',
  'Foi {{f3}}.',
  '',
  ' \n ',
  '{{f1}} e {{f',
  'Aluno Z deve {{f1}} a golpe.example',
  '{{f1}}: www.golpe',
  'Deve {{f1}}, ou o doбro',
  '{{f1}} é a metade',
  '{{f1}} ou doismil',
  '{{f1}} ou ɴoventa',
])('%j is rejected as an answer', (said) => {
  expect(told().text(said)).toBeUndefined();
});
