import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import { byHour, freeHours } from './hours.js';

const ZONE = 'America/Sao_Paulo';
const DAY = '2026-11-26';

function session(start: string, end: string, status: Session['status'] = 'agendada'): Session {
  return {
    id: start,
    student_id: 's',
    student_nome: 'Ana',
    location_id: null,
    location_nome: null,
    inicio: instantOf(DAY, start, ZONE),
    fim: instantOf(DAY, end, ZONE),
    status,
    confirmado: true,
    observacoes: null,
    motivo: null,
    usou_credito: false,
    sem_credito: false,
    valor: null,
    taxa: 0,
  };
}

describe('the hours of the calendar', () => {
  it('are those that have sessions, and the current one', () => {
    const hours = byHour(
      [session('07:00', '08:00'), session('07:30', '08:30'), session('18:00', '19:00')],
      ZONE,
      10,
    );
    expect(hours.map(([hour, sessions]) => [hour, sessions.length])).toEqual([
      [7, 2],
      [10, 0],
      [18, 1],
    ]);
  });

  it('leave out a current hour of the night, but no session', () => {
    expect(byHour([session('22:00', '23:00')], ZONE, 3).map(([hour]) => hour)).toEqual([22]);
  });
});

describe('the free hours of a day', () => {
  it('meet no session that is still to happen', () => {
    const free = freeHours(
      [session('07:30', '08:30'), session('10:00', '11:00', 'cancelada')],
      DAY,
      ZONE,
      '07:00',
    );
    expect(free.slice(0, 3)).toEqual(['09:00', '10:00', '11:00']);
    expect(free.at(-1)).toBe('21:00');
  });
});
