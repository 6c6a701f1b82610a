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

it('of a clause with the rules of many locations, that of the session can be read', () => {
  const rule = 'cancelamento sem custo até 24 h antes da sessão.';
  const places = Array.from({ length: 12 }, (_, n) => `Local ${n + 1}: ${rule}`);
  const clause = (place: string) => clauseOf(`<p>Regra: ${places.join(' ')}</p>`, [], 'cancelamento', place);
  expect(clause('Local 9')).toMatch(/^…Local 9: cancelamento .* Local 12: cancelamento [^…]*$/);
  expect(clause('Local 3')).toMatch(/^…Local 3: .*…$/);
  expect(clause('Outro nome')).toMatch(/^Regra: Local 1: .*…$/);
});
