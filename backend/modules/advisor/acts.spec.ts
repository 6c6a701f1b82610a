import { describe, expect, it } from '@jest/globals';
import { actAnswer } from './acts.js';
import { understand } from './understand.js';

/** A Friday. */
const today = '2026-11-20';
const students = [{ id: 'ana', nome: 'Ana Souza' }];

/** The day and description that the card of an order would record. */
function recorded(message: string): [data: string, descricao: string] | undefined {
  const read = understand(message, { today, students });
  if (read === undefined || read === 'days') return undefined;
  const parts = actAnswer(read, { message, today, timezone: 'America/Sao_Paulo', plano: null, abertas: [] });
  const ato = parts.find((part) => part.ato)?.ato;
  return ato?.tipo === 'lancamento' ? [ato.corpo.data, ato.corpo.descricao] : undefined;
}

describe('the day in an order', () => {
  it.each([
    ['recebi 150 da ana', '2026-11-20'],
    ['recebi 150 da ana hoje', '2026-11-20'],
    ['recebi 150 da ana ontem', '2026-11-19'],
    ['anteontem recebi 90 reais da ana', '2026-11-18'],
    ['recebi 120 dia 10 da ana', '2026-11-10'],
    ['recebi 120 da ana dia 25', '2026-10-25'],
    ['recebi 120 da ana dia 31', '2026-10-31'],
    ['a ana me pagou 200 em 05/11', '2026-11-05'],
    ['a ana me pagou 200 em 28/12', '2025-12-28'],
    ['a ana me pagou 200 em 31/10/2026', '2026-10-31'],
    ['recebi 200 da ana há 3 dias', '2026-11-17'],
    ['recebi 200 da ana na segunda', '2026-11-16'],
    ['recebi 200 da ana na sexta', '2026-11-13'],
    ['recebi 200 da ana na segunda parcela', '2026-11-20'],
    ['recebi 200 da ana da mensalidade do dia 10', '2026-11-20'],
    ['recebi 200 da ana em 31/02', '2026-11-20'],
    ['recebi 200 da ana em 10/15', '2026-11-20'],
  ])('“%s” is of %s', (message, data) => {
    expect(recorded(message)).toEqual([data, 'Mensalidade']);
  });

  it.each([
    ['paguei 80 de gasolina ontem', '2026-11-19', 'Gasolina'],
    ['gastei 45 de uber na segunda-feira', '2026-11-16', 'Uber'],
    ['gastei 60 com elásticos no dia 3', '2026-11-03', 'Elásticos'],
    ['05/11 paguei 300 de aluguel', '2026-11-05', 'Aluguel'],
    ['gastei 30 no mercado há 2 dias', '2026-11-18', 'Mercado'],
  ])('“%s” is of %s, and its day is no part of “%s”', (message, data, descricao) => {
    expect(recorded(message)).toEqual([data, descricao]);
  });
});
