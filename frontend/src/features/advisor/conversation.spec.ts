import { expect, it } from '@jest/globals';
import type { Act } from '../../../../backend/modules/advisor/advisor.api.js';
import {
  type Card,
  commandOf,
  emptyAnswer,
  messagesOf,
  question,
  textOf,
  wayBack,
  withDelta,
} from './conversation.js';

const corpo = {
  tipo: 'receita',
  descricao: 'Recebimento',
  valor: 100,
  metodo_pagamento: 'pix',
  data: '2026-11-20',
} as const;
const ato: Act = { tipo: 'lancamento', agora: true, aluno: null, corpo };
const ID = '8a4c9f2e-3b1d-4e5f-9a6b-7c8d9e0f1a2b';

it('joins the words of an answer, and keeps each figure separate', () => {
  let keys = 0;
  const deltas = [
    { content: 'Você ' },
    { content: 'recebeu ' },
    { content: 'R$ 1,00', fonte: '/financeiro' },
    { content: '.' },
    { ato },
  ];
  const entry = deltas.reduce(
    (before, delta) => withDelta(before, delta, () => `key ${(keys += 1)}`),
    emptyAnswer,
  );
  expect(entry.pecas).toEqual([
    { texto: 'Você recebeu ' },
    { texto: 'R$ 1,00', fonte: '/financeiro' },
    { texto: '.', fonte: undefined },
  ]);
  expect(textOf(entry)).toBe('Você recebeu R$ 1,00.');
  expect(entry.card).toEqual({ ato, key: 'key 1', estado: 'oferecido' });
});

it('sends the last ten messages, without empty ones', () => {
  const entries = [...Array.from({ length: 12 }, (_, n) => question(`Pergunta ${n}`)), emptyAnswer];
  expect(messagesOf(entries).map(({ content }) => content)).toEqual(
    Array.from({ length: 10 }, (_, n) => `Pergunta ${n + 2}`),
  );
});

it('undoes a card with the command that reverses its command', () => {
  const cards: Act[] = [
    ato,
    {
      tipo: 'cobranca',
      aluno: 'Ana',
      corpo: { student_id: ID, descricao: 'x', valor: 1, vencimento: '2026-11-23' },
    },
    {
      tipo: 'pagamento',
      charge_id: ID,
      descricao: null,
      aluno: 'Ana',
      corpo: { valor: 1, data: '2026-11-20', metodo_pagamento: 'pix' },
    },
    {
      tipo: 'sessao',
      aluno: 'Ana',
      corpo: { student_id: ID, inicio: '2030-01-01T10:00:00.000Z', fim: '2030-01-01T11:00:00.000Z' },
    },
  ];
  const ways = cards.map((each) => {
    const card: Card = { ato: each, key: 'k', estado: 'oferecido' };
    return [commandOf(card).path, wayBack(card, { id: 'new', payment_id: 'p' }).path];
  });
  expect(ways).toEqual([
    ['/transactions', '/transactions/new/reverse'],
    ['/charges', '/charges/new/cancel'],
    [`/charges/${ID}/payments`, `/charges/${ID}/payments/p/reverse`],
    ['/sessions', '/sessions/undo-bookings'],
  ]);
});
