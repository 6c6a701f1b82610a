import { expect, it } from '@jest/globals';
import { visitorFields } from './public-page.api.js';

it.each([
  ['10,000 characters', 'A'.repeat(10_000), undefined],
  ['only blanks', '   ', undefined],
  ['only signs', '<<<>>>', undefined],
  ['NUL', 'An\u0000a', undefined],
  ['only direction signs', '\u202e\u202e\u202e', undefined],
  ['a link', 'Veja http://spam.example', undefined],
  ['an address', 'golpe.com/pix', undefined],
  ['an address that ends in a digit', 'promo24.com', undefined],
  ['an address of another ending', 'golpe.co', undefined],
  ['a dot', 'Ana M.Souza Jr.', 'Ana M.Souza Jr.'],
  ['markup', '<img src=x onerror=alert(1)> Ana', '<img src=x onerror=alert(1)> Ana'],
  ['a turned direction', 'Ana \u202egnp-exe', 'Ana gnp-exe'],
  ['an emoji', 'Ana 💪🏽', 'Ana 💪🏽'],
  ['Arabic', 'ليلى', 'ليلى'],
])('the name of a visitor with %s is refused or harmless', (_what, nome, kept) => {
  expect(visitorFields.nome.safeParse(nome).data).toBe(kept);
});
