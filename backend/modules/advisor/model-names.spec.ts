import { expect, it } from '@jest/globals';
import { ModelNames } from './model-names.js';

const students = ['Ana Souza', 'Maria Clara dos Santos', 'Marco Lima', 'Ana Reis'].map((nome) => ({
  id: nome,
  nome,
}));
const archived = ['Zuleika Quintanilha', 'Marco Tulio'].map((nome) => ({ id: nome, nome }));
const removed = [{ id: 'gone', nome: 'Wanderleia Prates' }];
const known = { active: students, archived, removed };
const masked = (text: string) => new ModelNames(known, false).mask(text);

it.each([
  ['quanto a Ana Souza deve?', 'quanto a Aluno A deve?'],
  ['quanto a ana deve?', 'quanto a Aluno A ou Aluno B deve?'],
  ['maria clara dos santos pagou', 'Aluno A pagou'],
  ['e a Mária Clrara?', 'e a Aluno A?'],
  ['quanto recebi em março? e o marco?', 'quanto recebi em março? e o Aluno A?'],
  ['a Ana Souza e o Marco', 'a Aluno A e o Aluno B'],
  ['da Ana Souza, da maria clara e de Zuleika: quanto?', 'da Aluno A, da Aluno B e de Aluno C: quanto?'],
  ['a Wanderleia Prates ainda deve?', 'a um aluno ainda deve?'],
  ['a zuleika e o Marco Tulio', 'a Aluno A e o Aluno B'],
  [
    'quanto recebi de 2026-03-01 a 25/12/2026, R$ 1.234.567,89?',
    'quanto recebi de 2026-03-01 a 25/12/2026, R$ 1.234.567,89?',
  ],
  ['zap +55 11 98765-4321 cpf 52998224725', 'zap [número] cpf [número]'],
  ['quanto a An\u00ada Sou\u200bza deve?', 'quanto a Aluno A deve?'],
  ['quanto a Ａｎａ Ｓｏｕｚａ e a 𝐙𝐮𝐥𝐞𝐢𝐤𝐚 devem?', 'quanto a Aluno A e a Aluno B devem?'],
  ['a Ana\u200bSouza e a mariaclara', 'a um aluno e a um aluno'],
  ['zap ９８７６５-４３２１, a.b＠c.example', 'zap [número], [e-mail]'],
  // The letters А, а, о and е are Cyrillic, and Ζ, υ and ο Greek.
  ['quanto a Аnа Sоuza e a Ζυlеikа devem?', 'quanto a Aluno A e a Aluno B devem?'],
  ['е a maria clara dоs santοs?', 'e a Aluno A?'],
  ['mande para a.b@c.example', 'mande para [e-mail]'],
])('%j is replaced by %j', (said, sent) => {
  expect(masked(said)).toBe(sent);
});

it('an alias belongs to one student for the whole answer, and unknown aliases to none', () => {
  const names = new ModelNames(known, false);
  const [ana, maria] = students as [(typeof students)[number], (typeof students)[number]];
  expect([names.of(maria), names.of(ana), names.of(maria)]).toEqual(['Aluno A', 'Aluno B', 'Aluno A']);
  expect([names.meant('Aluno B'), names.meant('Aluno C'), names.meant('Ana Souza')]).toEqual([[ana], [], []]);
});

it('names are sent if the trainer allows it, contact data never', () => {
  const names = new ModelNames(known, true);
  expect(names.mask('a Ana Souza: ana@c.example')).toBe('a Ana Souza: [e-mail]');
  expect(names.meant('ana souza')).toEqual([students[0]]);
});

it('has a name for each of many students', () => {
  const names = new ModelNames({ active: [], archived: [], removed: [] }, false);
  const given = Array.from({ length: 60 }, (_, n) => names.of({ id: String(n), nome: 'x' }));
  expect(given.slice(25, 28)).toEqual(['Aluno Z', 'Aluno AA', 'Aluno AB']);
  expect(new Set(given).size).toBe(60);
});

it('looks up a limited number of names in a conversation, and hides all others', () => {
  const many = Array.from({ length: 80 }, (_, n) => {
    const nome = `${String.fromCodePoint(97 + (n % 26))}xy${String.fromCodePoint(97 + Math.floor(n / 26))}z`;
    return { id: nome, nome };
  });
  const sent = new ModelNames({ active: many, archived: [], removed: [] }, false).mask(
    many.map(({ nome }) => nome).join(', '),
  );
  expect(sent.split(', ').slice(29, 31)).toEqual(['Aluno AD', 'um aluno']);
  expect(many.filter(({ nome }) => sent.includes(nome))).toEqual([]);
});
