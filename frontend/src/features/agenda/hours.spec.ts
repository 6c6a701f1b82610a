import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { instantOf } from '../../lib/dates.js';
import { freeHours, isLate, nearestFreeTimes, proposedHour } from './hours.js';

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
    serie_id: null,
    ocorrencia: null,
    turma: null,
    servico: null,
    grupo_id: null,
    observacoes: null,
    motivo: null,
    usou_credito: false,
    sem_credito: false,
    valor: null,
    taxa: 0,
  };
}

describe('the free hours of a day', () => {
  it('overlap no scheduled session', () => {
    const free = freeHours(
      [session('07:30', '08:30'), session('10:00', '11:00', 'cancelada')],
      DAY,
      ZONE,
      '07:00',
    );
    expect(free.slice(0, 3)).toEqual(['09:00', '10:00', '11:00']);
    expect(free.at(-1)).toBe('21:00');
  });

  it('are outside of closed and blocked times', () => {
    const shut = [
      { start: 0, end: 8 * 60 },
      { start: 12 * 60, end: 12 * 60 + 30 },
      { start: 15 * 60, end: 24 * 60 },
    ];
    const free = freeHours([session('09:00', '10:00')], DAY, ZONE, '00:00', shut);
    expect(free).toEqual(['08:00', '10:00', '11:00', '13:00', '14:00']);
  });
});

it('a full day proposes no hour that has passed', () => {
  expect(proposedHour(['08:00', '10:00'], '07:30')).toBe('08:00');
  expect(proposedHour([], '07:00')).toBe('07:00');
  expect(proposedHour([], '19:47')).toBe('20:00');
  expect(proposedHour([], '21:00')).toBe('21:00');
  expect([isLate('21:00'), isLate('21:01')]).toEqual([false, true]);
});

describe('the free times nearest to a taken one', () => {
  const at10 = { start: '10:00', end: '11:00' };
  const nearest = (sessions: Session[], taken = at10, earliest = '00:00') =>
    nearestFreeTimes(sessions, DAY, ZONE, taken, earliest);

  it('are three; of two equally near ones the later one comes first', () => {
    expect(nearest([session('10:00', '11:00')])).toEqual(['11:00', '09:00', '11:30']);
  });

  it('may overlap the refused time, since only a part of it may be taken', () => {
    const taken = { start: '18:30', end: '19:30' };
    expect(nearest([session('18:00', '19:00')], taken)).toEqual(['19:00', '19:30', '20:00']);
  });

  it('are never the refused time itself, even if the conflicting session is not loaded', () => {
    expect(nearest([])).toEqual(['10:30', '09:30', '11:00']);
  });

  it('have room for the whole session, and may replace a cancelled one', () => {
    const sessions = [session('11:00', '11:30', 'cancelada'), session('11:30', '12:00')];
    expect(nearest(sessions, { start: '10:00', end: '10:30' })).toEqual(['10:30', '09:30', '11:00']);
    expect(nearest([...sessions, session('08:00', '10:15')], { start: '10:00', end: '11:30' })[0]).toBe(
      '12:00',
    );
  });

  it('are not in the past, and there are none if the day is full', () => {
    expect(nearest([session('10:00', '12:00')], at10, '09:15')[0]).toBe('12:00');
    expect(nearest([session('10:00', '22:00')], at10, '09:15')).toEqual([]);
  });
});
