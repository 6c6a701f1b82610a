import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import { freeHours, nearestFreeTime } from './hours.js';

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
    ...{ serie_id: null, ocorrencia: null, grupo_id: null },
    observacoes: null,
    motivo: null,
    usou_credito: false,
    sem_credito: false,
    valor: null,
    taxa: 0,
  };
}

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

describe('the free time nearest to a taken one', () => {
  const at10 = { start: '10:00', end: '11:00' };
  const nearest = (sessions: Session[], taken = at10, earliest = '00:00') =>
    nearestFreeTime(sessions, DAY, ZONE, taken, earliest);

  it('is after it where the times before and after are equally near', () => {
    expect(nearest([session('10:00', '11:00')])).toBe('11:00');
  });

  it('is never the refused time itself, even where the session in the way is not known here', () => {
    expect(nearest([])).toBe('11:00');
  });

  it('is before it where the later times are taken', () => {
    expect(nearest([session('10:00', '11:00'), session('11:00', '13:00')])).toBe('09:00');
  });

  it('begins at half hours, has room for the whole session, and takes the place of a cancelled one', () => {
    const sessions = [session('11:00', '11:30', 'cancelada'), session('11:30', '12:00')];
    expect(nearest(sessions, { start: '10:00', end: '10:30' })).toBe('10:30');
    expect(nearest([...sessions, session('08:00', '10:00')], { start: '10:00', end: '11:30' })).toBe('12:00');
  });

  it('is not in the past, nor in a day that is full', () => {
    expect(nearest([session('11:00', '12:00')], at10, '09:15')).toBe('12:00');
    expect(nearest([session('11:00', '22:00')], at10, '09:15')).toBeNull();
  });
});
