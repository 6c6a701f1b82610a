import { describe, expect, it } from '@jest/globals';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { localName, type Waiting } from '../../lib/outbox.js';
import { editBooking, sessionsWithPending, sessionTitle } from './pending-session.js';

const zone = 'America/Sao_Paulo';
const at = (hour: number) => new Date(Date.UTC(2026, 10, 26, hour + 3)).toISOString();
const DAY = [at(0), at(24)] as const;
const session: Session = {
  id: 'ana-at-9',
  student_id: 'ana',
  student_nome: 'Ana Souza',
  location_id: null,
  location_nome: null,
  serie_id: null,
  ocorrencia: null,
  turma: null,
  servico: null,
  grupo_id: null,
  inicio: at(9),
  fim: at(10),
  status: 'agendada',
  confirmado: false,
  observacoes: null,
  motivo: null,
  usou_credito: false,
  sem_credito: false,
  valor: null,
  taxa: 0,
};
const local = localName('key');
const write = (effect: string, more: Partial<Waiting> = {}): Waiting => ({
  key: effect,
  method: 'POST',
  path: '/',
  subject: session.id,
  effect,
  title: '',
  at: 1,
  userId: 'rafaela',
  tenantId: 'studio',
  ...more,
});
const booking = (more: Partial<Waiting> = {}) =>
  write('book', {
    subject: local,
    makes: true,
    shows: { student_nome: 'Bruno Lima', location_nome: 'Parque' },
    body: { student_id: 'bruno', inicio: at(7), fim: at(8), location_id: 'parque' },
    ...more,
  });
const shown = (...writes: Waiting[]) =>
  sessionsWithPending([session], writes, DAY).map(({ id, status, pendente }) => [
    id,
    status,
    pendente ?? false,
  ]);

describe('a session with changes in the outbox', () => {
  it.each([
    ['complete', {}, 'feita'],
    ['cancel', { body: { motivo: 'falta' } }, 'cancelada'],
    ['reopen', {}, 'agendada'],
  ])('shows what %s makes of it, as not sent', (effect, more, status) => {
    expect(shown(write(effect, more))).toEqual([[session.id, status, true]]);
  });

  it('shows the fields of an edit, with the chosen names', () => {
    const body = { student_id: 'bruno', observacoes: 'Elástico', permitir_conflito: true };
    const edit = write('edit-session', { body, shows: { student_nome: 'Bruno Lima', inicio: at(9) } });
    expect(sessionsWithPending([session], [edit], DAY)).toEqual([
      {
        ...session,
        student_id: 'bruno',
        student_nome: 'Bruno Lima',
        observacoes: 'Elástico',
        pendente: true,
      },
    ]);
  });

  it('is gone once it is deleted, and unchanged if that is refused', () => {
    expect(shown(write('delete'))).toEqual([]);
    const held = { why: 'refused', message: 'Agendamento não encontrado', code: '' } as const;
    expect(shown(write('delete', { held }))).toEqual([[session.id, 'agendada', false]]);
  });

  it('is listed with new bookings, by start, only on its day', () => {
    expect(shown(booking())).toEqual([
      [local, 'agendada', true],
      [session.id, 'agendada', false],
    ]);
    expect(sessionsWithPending([], [booking()], DAY)[0]).toMatchObject({
      student_nome: 'Bruno Lima',
      location_nome: 'Parque',
      inicio: at(7),
    });
    expect(sessionsWithPending([], [booking()], [at(12), at(13)])).toEqual([]);
  });

  it('that was booked offline can be completed, and is gone if its booking was refused', () => {
    expect(shown(booking(), write('complete', { subject: local }))[0]).toEqual([local, 'feita', true]);
    expect(shown(booking({ held: { why: 'doubt' } }))).toEqual([[session.id, 'agendada', false]]);
  });

  it('opens in the form with all values', () => {
    expect(editBooking(booking(), zone)).toEqual({
      to: '/agenda?dia=2026-11-26&novo=agendamento&em=2026-11-26',
      draft: 'agendamento.2026-11-26.livre',
      values: {
        student_ids: ['bruno'],
        data: '2026-11-26',
        inicio: '07:00',
        fim: '08:00',
        location_id: 'parque',
        service_id: null,
        observacoes: '',
      },
    });
    expect(sessionTitle(session, zone)).toBe('A sessão de Ana Souza, 26/11/2026, 9:00,');
  });
});
