import { expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { announcedChange, doneChange, formerOf } from './status-change.js';

const scheduled = { status: 'agendada', usou_credito: false, servico: null } as const;
const done = { status: 'feita', usou_credito: true, servico: null } as const;
const free = { id: 's', usou_credito: false, sem_credito: false, taxa: 0 };

it('announces the cost of a status before it is saved, in the same words as afterwards', () => {
  expect(announcedChange(scheduled, 'agendada')).toBeNull();
  expect(announcedChange(scheduled, 'cancelada')).toMatch(/^Você cancela: não cobra nada\. /);
  expect(doneChange(scheduled, { ...free, status: 'cancelada' })).toBe('Não cobrou nada.');
  expect(announcedChange(done, 'cancelada')).toMatch(/^Você cancela: devolve 1 crédito\. /);
  expect(doneChange(done, { ...free, status: 'cancelada' })).toBe('Devolveu 1 crédito.');
  expect(announcedChange(done, 'agendada')).toBe('Devolve 1 crédito.');
  expect(doneChange(done, { ...free, status: 'agendada' })).toBe('Devolveu 1 crédito.');
  expect(announcedChange(scheduled, 'feita')).toMatch(/^Desconta 1 crédito\. /);
  expect(doneChange(scheduled, { ...free, status: 'feita', usou_credito: true })).toBe(
    'Descontou 1 crédito.',
  );
  expect(doneChange(scheduled, { ...free, status: 'feita', sem_credito: true })).toMatch(
    /“Sessões a cobrar”/,
  );
});

it('speaks of no credit where a service or the price of a booking takes none', () => {
  const servico = { id: 'v', usa_credito: false, nome: 'Avaliação', cor: 'azul', endereco: null } as const;
  const completed = { ...free, status: 'feita' } as const;
  for (const other of [
    { ...scheduled, servico },
    { ...scheduled, cobranca_id: 'c' },
  ]) {
    expect(announcedChange(other, 'feita')).toMatch(/^Não muda os créditos\. /);
    expect(doneChange(other, completed)).toBeUndefined();
    expect(doneChange(other, { ...completed, sem_credito: true })).toBe(
      'A sessão ficou em “Sessões a cobrar”.',
    );
  }
});

it('names a fee that was charged anyway', () => {
  expect(doneChange(scheduled, { ...free, status: 'cancelada', usou_credito: true, taxa: 4500 })).toBe(
    'Descontou 1 crédito e cobrou taxa de R$\u00a045,00.',
  );
});

it('is undone with the session’s old values, and a cancellation with its cost', () => {
  const times = { inicio: '2026-11-26T10:00:00.000Z', fim: '2026-11-26T11:00:00.000Z' };
  const session = { id: 's', ...scheduled, ...times, location_id: null, observacoes: 'Joelho' } as Session;
  const changes = { inicio: '2026-11-26T12:00:00.000Z', observacoes: null, status: 'feita' } as const;
  expect(formerOf(session, { ...changes, permitir_conflito: true })).toEqual({
    inicio: times.inicio,
    observacoes: 'Joelho',
    status: 'agendada',
    se_ainda: changes,
  });
  const previsto = { usou_credito: true, sem_credito: false, taxa: 4500 };
  const cancelled = { ...session, ...previsto, status: 'cancelada', motivo: 'falta' } as const;
  expect(formerOf(cancelled, changes)).toEqual({
    inicio: times.inicio,
    observacoes: 'Joelho',
    se_ainda: changes,
    cancelamento: { motivo: 'falta', aplicar_politica: true, previsto, de_novo: 'feita' },
  });
  expect(formerOf(cancelled, { observacoes: null })).toEqual({
    observacoes: 'Joelho',
    se_ainda: { observacoes: null },
  });
  const none = { usou_credito: false, sem_credito: false, taxa: 0 };
  expect(formerOf({ ...cancelled, ...none }, { status: 'agendada' })).toEqual({
    se_ainda: { status: 'agendada' },
    cancelamento: { motivo: 'falta', previsto: none, de_novo: 'agendada' },
  });
});
