import { expect, it } from '@jest/globals';
import { clauseOf } from './contracts.why.js';

const policy = { campo: 'politica' as const, texto: 'até 24 h antes sem custo' };

it.each([
  [
    'that has the filled-in policy',
    '<p>Cancele no app.</p><p>Regra: até 24 h antes sem custo.</p>',
    [policy],
    'Regra: até 24 h antes sem custo.',
  ],
  [
    'that speaks of it in other words',
    '<h2>Cancelamento</h2><p>Olá.</p><ul><li>Avise ao <strong>desmarcar</strong>.</li></ul>',
    [],
    'Avise ao desmarcar.',
  ],
  ['of nothing, where none does', '<p>Olá.</p>', [policy], undefined],
])('the clause is the one %s', (_, conteudo, campos, clause) => {
  expect(clauseOf(conteudo, campos, 'cancelamento')).toBe(clause);
});
