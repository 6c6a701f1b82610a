import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SessionDay } from '../../../../backend/modules/agenda/session-days.api.js';
import type { Waiting } from '../../lib/outbox.js';
import { daysWithPending, statusOf, totalOf, wordsOf } from './session-days.js';

const ZONE = 'America/Sao_Paulo';
const session = (id: string, inicio: string, status: Session['status'] = 'agendada') =>
  ({ id, inicio, fim: inicio, status, student_nome: 'Ana', grupo_id: null }) as Session;
const named = ({ id, inicio, status, student_nome }: Session) => ({
  id,
  inicio,
  status,
  student_nome,
  outros: [],
});
const day = (dia: string, counts: Partial<SessionDay>): SessionDay => ({
  dia,
  agendada: 0,
  feita: 0,
  cancelada: 0,
  primeiras: [],
  ...counts,
});
const write = (subject: string, effect: string, more: Partial<Waiting> = {}): Waiting => ({
  key: `${subject} ${effect}`,
  method: 'POST',
  path: '',
  title: '',
  at: 0,
  userId: 'u',
  tenantId: 't',
  subject,
  effect,
  ...more,
});

const eight = session('a', '2026-11-26T11:00:00.000Z');
const nine = session('b', '2026-11-26T12:00:00.000Z');
const days = [day('2026-11-26', { agendada: 2, primeiras: [named(eight), named(nine)] })];
const pending = (...writes: Waiting[]) => daysWithPending(days, writes, [eight, nine], ZONE);

describe('the days with changes in the outbox', () => {
  it('are the server’s if the outbox is empty', () => {
    expect([...pending().values()]).toEqual(days);
  });

  it('count loaded sessions that were completed and cancelled', () => {
    expect(pending(write('a', 'complete')).get('2026-11-26')).toMatchObject({ agendada: 1, feita: 1 });
    const cancelled = pending(write('a', 'cancel', { body: { motivo: 'personal' } })).get('2026-11-26')!;
    expect(cancelled).toMatchObject({ agendada: 1, cancelada: 1 });
    expect(cancelled.primeiras.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(pending(write('unknown', 'complete')).get('2026-11-26')).toEqual(days[0]);
  });

  it('move a session to its new day, and leave out a deleted one', () => {
    const to = { inicio: '2026-11-27T11:00:00.000Z', fim: '2026-11-27T12:00:00.000Z' };
    const moved = pending(write('a', 'move', { body: to }), write('b', 'delete'));
    expect(moved.get('2026-11-26')).toMatchObject({ agendada: 0, primeiras: [] });
    expect(moved.get('2026-11-27')).toMatchObject({ agendada: 1, primeiras: [{ id: 'a' }] });
  });

  it('count a booking over midnight on both', () => {
    const body = { student_id: 's', inicio: '2026-12-02T02:30:00.000Z', fim: '2026-12-02T03:30:00.000Z' };
    const booked = pending(write('local-1', 'book', { makes: true, body, shows: { student_nome: 'Bia' } }));
    expect(['2026-12-01', '2026-12-02'].map((dia) => booked.get(dia)?.agendada)).toEqual([1, 1]);
  });

  it('count a booking that has not been sent', () => {
    const body = { student_id: 's', inicio: '2026-12-01T11:00:00.000Z', fim: '2026-12-01T12:00:00.000Z' };
    const booked = pending(write('local-1', 'book', { makes: true, body, shows: { student_nome: 'Bia' } }));
    expect(booked.get('2026-12-01')).toMatchObject({ agendada: 1, primeiras: [{ student_nome: 'Bia' }] });
  });
});

it('a day has a text, and its most important status', () => {
  const mixed = day('2026-11-26', { agendada: 1, feita: 2, cancelada: 1 });
  expect(wordsOf(mixed)).toBe('1 agendada, 2 realizadas, 1 cancelada');
  expect(wordsOf(undefined)).toBe('');
  expect([totalOf(mixed), statusOf(mixed)]).toEqual([4, 'agendada']);
  expect(statusOf(day('2026-11-26', { feita: 1, cancelada: 1 }))).toBe('feita');
  expect(statusOf(day('2026-11-26', { cancelada: 1 }))).toBe('cancelada');
});
