import { expect, it } from '@jest/globals';
import { sessionMessage } from './session-message.js';

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

it('describes the status of any other session', () => {
  expect(message({ status: 'feita' })).toMatch(/^Oi, Ana! Tudo certo/);
  expect(message({ status: 'cancelada', motivo: 'falta' })).toContain('Senti sua falta');
  expect(message({ status: 'cancelada', motivo: 'personal' })).toContain('foi cancelada');
});
