import { describe, expect, it } from '@jest/globals';
import type { Waiting } from '../../lib/outbox.js';
import type { ShownSession } from './pending-session.js';
import { byHour, reaching, sharedName } from './shared-hours.js';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 26, hour)).toISOString();
const session = (student_nome: string, more: Partial<ShownSession> = {}): ShownSession => ({
  id: student_nome,
  student_id: student_nome,
  student_nome,
  location_id: null,
  location_nome: null,
  serie_id: null,
  ocorrencia: null,
  turma: null,
  servico: null,
  grupo_id: 'g',
  inicio: at(10),
  fim: at(11),
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

describe('the names of an hour', () => {
  it.each([
    [['Ana Souza'], 'Ana Souza'],
    [['Ana Souza', 'Bia Rocha'], 'Ana e Bia'],
    [['Ana Souza', 'Bia Rocha', 'Caio Melo'], 'Ana +2'],
    [['Ana Souza', null], 'Ana e Aluno apagado'],
    [[null], null],
  ])('of %j are %s', (names, shown) => {
    expect(sharedName(names)).toBe(shown);
  });
});

describe('sessions by the hour', () => {
  it('are joined if they are of one group and begin together', () => {
    const alone = session('Davi', { grupo_id: null });
    const other = session('Eva', { inicio: at(12) });
    const hours = byHour([session('Bia'), alone, session('Ana'), other]);
    expect(hours.map(({ id, student_nome }) => [id, student_nome])).toEqual([
      ['Ana', 'Ana e Bia'],
      ['Davi', 'Davi'],
      ['Eva', 'Eva'],
    ]);
    expect(hours[0]!.membros!.map(({ id }) => id)).toEqual(['Ana', 'Bia']);
  });

  it('are scheduled while one of them is, and named without cancelled ones', () => {
    const [hour] = byHour([session('Ana', { status: 'cancelada' }), session('Bia'), session('Caio')]);
    expect(hour).toMatchObject({ id: 'Bia', status: 'agendada', student_nome: 'Bia e Caio' });
    const done = byHour([session('Ana', { status: 'feita' }), session('Bia', { status: 'cancelada' })]);
    expect(done).toMatchObject([{ id: 'Ana', status: 'feita', student_nome: 'Ana' }]);
  });
});

describe('the hour of a class', () => {
  const turma = { nome: 'Funcional', vagas: 6 };

  it('is named by its seats, also with a single student', () => {
    const [hour] = byHour([
      session('Ana', { turma, status: 'cancelada' }),
      session('Bia', { turma }),
      session('Caio', { turma }),
    ]);
    expect(hour!.student_nome).toBe('Funcional · 2/6');
    expect(byHour([session('Ana', { turma })])).toMatchObject([
      { student_nome: 'Funcional · 1/6', membros: [{ student_nome: 'Ana' }] },
    ]);
  });
});

describe('a change in the outbox', () => {
  const write = (subject: string, effect: string, body?: object) => ({ subject, effect, body }) as Waiting;
  const sessions = [
    session('Ana'),
    session('Bia'),
    session('Caio', { status: 'feita' }),
    session('Eva', { inicio: at(12), fim: at(13) }),
  ];
  const reached = (...writes: Waiting[]) => reaching(writes, sessions).map(({ subject }) => subject);

  it('affects all scheduled sessions of the hour if it moves the session or is about the group', () => {
    expect(reached(write('Ana', 'move'))).toEqual(['Ana', 'Bia']);
    expect(reached(write('g', 'complete', { inicio: at(10) }))).toEqual(['g', 'Ana', 'Bia']);
    expect(reached(write('g', 'cancel', { inicio: at(12) }))).toEqual(['g', 'Eva']);
    expect(reached(write('Ana', 'complete'))).toEqual(['Ana']);
  });
});
