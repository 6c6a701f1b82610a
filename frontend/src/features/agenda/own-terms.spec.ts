import { expect, it } from '@jest/globals';
import { cancellingInWords } from './own-terms.js';

const late = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
/** Tuesday, 5 November 2030, 7:00 in Brasília. */
const tuesday = '2030-11-05T10:00:00.000Z';
const at = (now: string) => ({ zone: 'America/Sao_Paulo', now: Date.parse(now) });

it.each([
  [
    late,
    '2030-11-01T10:00:00Z',
    /^Desmarcar: sem custo até seg\., 4 de nov\., 7:00; depois, desconta 1 crédito e cobra 50% do valor da aula\.$/,
  ],
  [
    { ...late, taxa_percent: 0 },
    '2030-11-04T09:00:00Z',
    /^Desmarcar: sem custo até hoje, 7:00; depois, desconta 1 crédito\.$/,
  ],
  [
    { ...late, queima_credito: false },
    '2030-11-04T10:00:01Z',
    /^Faltam menos de 24 h: desmarcar cobra 50% do valor da aula\.$/,
  ],
  [
    { ...late, taxa_percent: 0, queima_credito: false },
    '2030-11-05T09:00:00Z',
    /^Desmarcar não tem custo\.$/,
  ],
  [undefined, '2030-11-05T09:00:00Z', /^Desmarcar não tem custo\.$/],
])(
  'before a booking it is said what cancelling costs, and until when nothing: %j at %s',
  (terms, now, words) => {
    expect(cancellingInWords(terms, tuesday, at(now))).toMatch(words);
  },
);
