import { describe, expect, it } from '@jest/globals';
import { actAnswer, type Usual } from './acts.js';
import { understand } from './understand.js';

/** A Friday. */
const today = '2026-11-20';
const students = [{ id: 'ana', nome: 'Ana Souza' }];

const abertas = [{ id: 'c', descricao: 'Pacote', falta: 25_000, vencimento: '2026-11-10' }];

/** The card of an order, or else the answer in words. */
function offered(message: string, open: typeof abertas = [], usual: Usual | null = null) {
  const read = understand(message, { today, students });
  if (typeof read !== 'object') return read;
  const asked = { message, today, timezone: 'America/Sao_Paulo', plano: null, abertas: open, usual };
  const parts = actAnswer(read, asked);
  return parts.find((part) => part.ato)?.ato ?? parts.map(({ content }) => content).join('');
}

/** The day and description that the card of an order would record. */
function recorded(message: string): [data: string, descricao: string] | undefined {
  const ato = offered(message);
  return typeof ato === 'object' && ato.tipo === 'lancamento'
    ? [ato.corpo.data, ato.corpo.descricao]
    : undefined;
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
    ['recebi 200 da ana dia 5 de março', '2026-03-05'],
    ['recebi 200 da ana dia 5 do mês passado', '2026-10-05'],
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
    ['gastei 30 no mercado dia 5 de outubro', '2026-10-05', 'Mercado'],
  ])('“%s” is of %s, and its day is no part of “%s”', (message, data, descricao) => {
    expect(recorded(message)).toEqual([data, descricao]);
  });
});

describe('the day on which a charge is due', () => {
  it.each([
    ['cobrar 300 da ana', '2026-11-23'],
    ['cobrar 300 da ana hoje', '2026-11-23'],
    ['cobrar 300 da ana pela aula de segunda', '2026-11-23'],
    ['cobrar 300 da ana vence dia 10', '2026-12-10'],
    ['cobrar 300 da ana, vence em 10/12', '2026-12-10'],
    ['cobrar 300 da ana com vencimento em 10/01/2027', '2027-01-10'],
    ['cobra 300 da ana pra sexta', '2026-11-27'],
    ['cobrar 300 da ana até dia 5', '2026-12-05'],
    ['cobrar 300 da ana vencimento amanhã', '2026-11-21'],
    ['cobrar 300 da ana vence hoje', '2026-11-20'],
    ['gera uma cobrança de 300 pra ana vencendo em 15 dias', '2026-12-05'],
    ['cobrar 300 da ana que venceu dia 10', '2026-11-10'],
    ['cobrar 300 da ana pra 5 de dezembro', '2026-12-05'],
  ])('in “%s” is %s', (message, vencimento) => {
    expect(offered(message)).toMatchObject({ tipo: 'cobranca', corpo: { valor: 30_000, vencimento } });
  });

  it('is asked for if it was named and cannot be read', () => {
    expect(offered('cobrar 300 da ana, vence 31/02')).toMatch(/^Quando vence\?/);
  });
});

describe('the day of a payment', () => {
  it.each([
    ['marca a cobrança da ana como paga', '2026-11-20'],
    ['marca que a ana pagou ontem', '2026-11-19'],
    ['a Ana pagou ontem', '2026-11-19'],
    ['a ana pagou dia 12', '2026-11-12'],
    ['a ana acertou na segunda', '2026-11-16'],
  ])('in “%s” is %s', (message, data) => {
    expect(offered(message, abertas)).toMatchObject({
      tipo: 'pagamento',
      charge_id: 'c',
      corpo: { valor: 25_000, data },
    });
  });

  it.each(['a ana pagou ontem?', 'a ana não pagou ontem', 'quanto a ana pagou ontem'])(
    '“%s” offers no payment',
    (message) => {
      const read = understand(message, { today, students });
      expect(read).toMatchObject({ intent: expect.stringMatching(/^(recebido|devedores)$/) });
    },
  );
});

it('books a student where and as long as they usually train, otherwise for an hour', () => {
  const usual = { minutes: 45, location_id: 'park', location_nome: 'Parque' };
  const at = { student_id: 'ana', inicio: '2026-11-21T10:00:00.000Z' };
  expect(offered('agendar ana amanhã às 7h', [], usual)).toMatchObject({
    tipo: 'sessao',
    local: 'Parque',
    corpo: { ...at, fim: '2026-11-21T10:45:00.000Z', location_id: 'park' },
  });
  expect(offered('agendar ana amanhã às 7h')).toMatchObject({
    tipo: 'sessao',
    local: null,
    corpo: { ...at, fim: '2026-11-21T11:00:00.000Z', location_id: null },
  });
});
