import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import type { Waiting } from '../../lib/outbox.js';
import { laterSessions, nextSession, timeUntil } from './next-session.js';

const ZONE = 'America/Sao_Paulo';
const at = (time: string, day = '2026-11-26') => instantOf(day, time, ZONE);
const session = (start: string, end: string, more: Partial<Session> = {}): Session => ({
  id: start,
  student_id: 'ana',
  student_nome: 'Ana',
  location_id: null,
  location_nome: null,
  serie_id: null,
  ocorrencia: null,
  turma: null,
  servico: null,
  grupo_id: null,
  inicio: at(start),
  fim: at(end),
  status: 'agendada',
  confirmado: true,
  observacoes: null,
  motivo: null,
  usou_credito: false,
  sem_credito: false,
  valor: null,
  taxa: 0,
  ...more,
});
const NOW = at('09:35');

describe('the next session', () => {
  const nextOf = (week: Session[], upcoming: Session[] = [], writes: Waiting[] = []) =>
    nextSession(week, upcoming, writes, NOW)?.id;

  it('is the current session, if there is one', () => {
    expect(nextOf([session('08:00', '09:00'), session('09:00', '10:00'), session('10:00', '11:00')])).toBe(
      '09:00',
    );
  });

  it('is no session that is done or cancelled', () => {
    const settled = [
      session('09:00', '10:00', { status: 'feita' }),
      session('10:00', '11:00', { status: 'cancelada' }),
    ];
    expect(nextOf([...settled, session('12:00', '13:00')])).toBe('12:00');
    expect(nextOf(settled)).toBeUndefined();
  });

  it('is in a later week if none is left in this one; sessions whose cancellation is in the outbox do not count', () => {
    const later = session('07:00', '08:00', {
      inicio: at('07:00', '2026-12-03'),
      fim: at('08:00', '2026-12-03'),
    });
    expect(nextOf([], [later])).toBe('07:00');
    const cancel: Waiting = {
      key: 'key',
      method: 'POST',
      path: '/',
      body: { motivo: 'falta' },
      subject: later.id,
      effect: 'cancel',
      title: '',
      at: 1,
      userId: 'rafaela',
      tenantId: 'studio',
    };
    expect(nextOf([], [later], [cancel])).toBeUndefined();
  });
});

describe('how far away a session is', () => {
  it.each([
    ['09:00', '10:30', 'agora, até 10:30'],
    ['10:00', '11:00', 'em\u00a025\u00a0min'],
    ['10:35', '11:00', 'em\u00a01\u00a0h'],
    ['12:00', '13:00', 'em\u00a02\u00a0h\u00a025\u00a0min'],
  ])('describes %s to %s as "%s"', (start, end, words) => {
    expect(timeUntil(session(start, end), NOW, ZONE)).toBe(words);
  });

  it.each([
    ['2026-11-27', 'amanhã'],
    ['2026-11-29', 'em 3 dias'],
    ['2026-12-02', 'em 6 dias'],
    ['2026-12-03', 'qui., 3 de dez.'],
  ])('on %s is "%s"', (day, words) => {
    const inicio = at('07:00', day);
    expect(timeUntil(session('07:00', '08:00', { inicio }), NOW, ZONE)).toBe(words);
  });
});

it('after a full day lists the next sessions of other days, without the one above and those that were settled', () => {
  const on = (id: string, day: string, more: Partial<Session> = {}) =>
    session('07:00', '08:00', { id, inicio: at('07:00', day), fim: at('08:00', day), ...more });
  const today = [session('10:00', '11:00'), session('11:00', '12:00'), session('12:00', '13:00')];
  const week = [...today, on('a', '2026-11-27'), on('b', '2026-11-27', { status: 'cancelada' })];
  const listed = (upcoming: Session[], without?: string) =>
    laterSessions([...week, on('c', '2026-11-28')], upcoming, {
      today: '2026-11-26',
      zone: ZONE,
      without,
    }).map(({ id }) => id);
  expect(listed(today)).toEqual(['a', 'c']);
  expect(listed([on('a', '2026-11-27'), on('d', '2026-11-29'), on('e', '2026-11-30')])).toEqual([
    'a',
    'c',
    'd',
  ]);
  expect(listed([on('d', '2026-11-29')], 'a')).toEqual(['c', 'd']);
});
