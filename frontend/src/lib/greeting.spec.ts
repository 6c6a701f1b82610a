import { describe, expect, it } from '@jest/globals';
import { greeting } from './greeting.js';

describe('the greeting', () => {
  it.each([
    ['the first word of the name', '  Ana  Paula Souza', 'contato@exemplo.com.br', 'Olá, Ana!'],
    [
      'a company by its whole name',
      'Studio Vila Nova LTDA',
      'contato@exemplo.com.br',
      'Olá, Studio Vila Nova!',
    ],
    ['the e-mail up to its first dot, capitalised, without a name', '', 'bia.lima@exemplo.com', 'Olá, Bia!'],
    ['nothing of the provider where no dot comes before it', ' ', 'caio@exemplo.com', 'Olá, Caio!'],
    ['a word for everybody where there is neither', '', '', 'Olá, Personal!'],
    ['that word too where the e-mail begins with its dot', '', '.x@exemplo.com', 'Olá, Personal!'],
  ])('says %s', (_, name, email, said) => {
    expect(greeting({ name, email })).toBe(said);
  });
});
