import { expect, it } from '@jest/globals';
import { marked, withChips, withoutChips } from './field-chips.js';

const text =
  '<p><strong>Eu, {{aluno}}</strong>, {{outro}} <a href="https://exemplo.com.br/{{aluno}}">{{cref}}</a></p>';

it('the editor shows known fields as chips and gives back the text as it was', () => {
  expect(withChips(text)).toBe(
    '<p><strong>Eu, <span data-field="aluno">{{aluno}}</span></strong>, {{outro}} ' +
      '<a href="https://exemplo.com.br/{{aluno}}"><span data-field="cref">{{cref}}</span></a></p>',
  );
  expect(withoutChips(withChips(text))).toBe(text);
});

it('a text that was not sent names its fields', () => {
  expect(marked('<p>{{aluno}}, {{cpf}}</p>')).toBe(
    '<p><mark>Nome do aluno</mark>, <mark>CPF do aluno</mark></p>',
  );
});
