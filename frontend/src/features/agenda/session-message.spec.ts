import { expect, it } from '@jest/globals';
import {
  copiedMessage,
  movedMessage,
  seriesBookedMessage,
  seriesMessage,
  sessionMessage,
} from './session-message.js';

const zone = 'America/Sao_Paulo';
const message = (more: Partial<Parameters<typeof sessionMessage>[0]> = {}) =>
  sessionMessage(
    {
      inicio: '2026-11-26T10:00:00.000Z',
      status: 'agendada',
      motivo: null,
      location_nome: 'Parque',
      ...more,
    },
    'Ana',
    { today: '2026-11-25', zone },
  );

it('reminds of a future session, with its location', () => {
  expect(message()).toBe('Oi, Ana! Lembrando da sua aula: amanhã, às 7:00. Local: Parque. Confirma?');
  expect(message({ location_nome: null })).toBe('Oi, Ana! Lembrando da sua aula: amanhã, às 7:00. Confirma?');
});

it('says the link of what is held online on a line of its own', () => {
  const online = { location_nome: null, servico: { endereco: 'https://meet.example.com/abc' } };
  const line = '\nLink da chamada: https://meet.example.com/abc\n';
  expect(message(online)).toBe(`Oi, Ana! Lembrando da sua aula: amanhã, às 7:00.${line}Confirma?`);
  expect(copiedMessage([{ ...seven, ...online }], 'Ana', now)).toBe(
    `Oi, Ana! Agendei sua aula: amanhã, às 7:00.${line}Até lá!`,
  );
  expect(
    copiedMessage(
      [
        { ...seven, ...online },
        { ...eight, ...online },
      ],
      'Ana',
      now,
    ),
  ).toContain('7:00 (online: https://meet.example.com/abc)');
});

it('describes the status of any other session', () => {
  expect(message({ status: 'feita' })).toMatch(/^Oi, Ana! Tudo certo/);
  expect(message({ status: 'cancelada', motivo: 'falta' })).toContain('Senti sua falta');
  expect(message({ status: 'cancelada', motivo: 'personal' })).toContain('foi cancelada');
});

const now = { today: '2026-11-25', zone };
const seven = { inicio: '2026-11-26T10:00:00.000Z', fim: '2026-11-26T11:00:00.000Z' };
const eight = { inicio: '2026-11-26T11:00:00.000Z', fim: '2026-11-26T12:00:00.000Z' };

it.each([
  ['to another hour', eight, 'Mudei sua aula de amanhã: de 7:00 para 8:00. Tudo bem?'],
  [
    'to another day',
    { inicio: '2026-11-25T21:00:00.000Z', fim: '2026-11-25T22:00:00.000Z' },
    'Mudei sua aula de amanhã, às 7:00, para hoje, às 18:00. Tudo bem?',
  ],
  ['to another end', { ...seven, fim: eight.fim }, 'Sua aula de amanhã, às 7:00, agora vai até 9:00.'],
  [
    'to another place',
    { ...seven, location_nome: 'Parque' },
    'Sua aula de amanhã, às 7:00, mudou de local. Local: Parque.',
  ],
])('tells that a session was moved %s', (_, to, words) => {
  expect(movedMessage(seven, to, 'Ana', now)).toBe(`Oi, Ana! ${words}`);
});

it.each([
  [
    'to another hour',
    eight,
    'Mudei sua aula fixa de qui., às 7:00, para qui., às 8:00, a partir de amanhã. Tudo bem?',
  ],
  ['to another end', { fim: eight.fim }, 'Sua aula fixa de qui., às 7:00, agora vai até 9:00.'],
  [
    'to another place',
    { location_id: null },
    'Sua aula fixa de qui., às 7:00, mudou de local, a partir de amanhã.',
  ],
  [
    'to other days',
    { dias: [4, 2] },
    'Mudei os dias das suas aulas fixas, a partir de amanhã: ter., qui., às 7:00. Tudo bem?',
  ],
  ['to nothing', 'ended' as const, 'Cancelei suas aulas fixas de qui., às 7:00, a partir de amanhã.'],
  [
    'to a new student',
    'joined' as const,
    'Agora você tem aula fixa: qui., às 7:00, a partir de amanhã. Até lá!',
  ],
])('tells that a weekly hour was changed %s', (_, to, words) => {
  expect(seriesMessage(seven, to, 'Ana', now)).toBe(`Oi, Ana! ${words}`);
});

it('tells nothing of a change that only the trainer sees', () => {
  expect(seriesMessage(seven, { observacoes: 'joelho' }, 'Ana', now)).toBeNull();
});

it('tells of a new booking', () => {
  const booked = { inicio: seven.inicio, location_nome: 'Parque' };
  expect(copiedMessage([booked], 'Ana', now)).toBe(
    'Oi, Ana! Agendei sua aula: amanhã, às 7:00. Local: Parque. Até lá!',
  );
  expect(copiedMessage([booked, { ...booked, location_nome: null }], 'Ana', now)).toBe(
    'Oi, Ana! Agendei suas aulas:\n• amanhã, às 7:00 (Parque)\n• amanhã, às 7:00\nAté lá!',
  );
});

it('tells of a new weekly hour, from its first day on', () => {
  const words = 'Toda terça e quinta, 7:00';
  expect(seriesBookedMessage({ inicio: seven.inicio, words, location_nome: 'Parque' }, 'Ana', now)).toBe(
    'Oi, Ana! Agendei suas aulas fixas a partir de amanhã: toda terça e quinta, 7:00. Local: Parque. Até lá!',
  );
});
