import { describe, expect, it } from '@jest/globals';
import type { Student, StudentChanges } from '../../../backend/modules/students/students.api.js';
import type { Waiting } from '../lib/outbox.js';
import { editStudent, STUDENT_EDIT, studentWithEdits } from './pending-student.js';

const ana: Student = {
  id: 'ana',
  nome: 'Ana',
  telefone: '+5511987654321',
  whatsapp: '+5511987654321',
  email: null,
  observacoes: 'Joelho',
  etiquetas: [],
  plano_id: 'monthly',
  plano: { id: 'monthly', nome: 'Mensal', creditos: 8, valor: 40_000 },
  creditos: 3,
  arquivado: false,
  esquecido: false,
  criado_em: '2026-01-01T00:00:00.000Z',
};

const edit = (body: StudentChanges, more: Partial<Waiting> = {}): Waiting => ({
  key: 'k',
  method: 'PATCH',
  path: '/students/ana',
  title: 'O aluno Ana',
  at: 1,
  subject: 'ana',
  effect: STUDENT_EDIT,
  userId: 'u',
  tenantId: 't',
  body,
  ...more,
});

describe('a student with an edit in the outbox', () => {
  it('is shown with the edited values, as not sent', () => {
    expect(studentWithEdits(ana, [edit({ nome: 'Ana Souza' })])).toEqual({
      ...ana,
      nome: 'Ana Souza',
      pendente: true,
    });
  });

  it('is shown as sent while the first request is under way', () => {
    expect(studentWithEdits(ana, [edit({ nome: 'Ana Souza' }, { sending: true })]).pendente).toBe(false);
  });

  it('is shown with the server’s values if the edit was refused', () => {
    const held = { why: 'refused', message: 'Plano inativo', code: 'plans.inactive' } as const;
    expect(studentWithEdits(ana, [edit({ nome: 'Ana Souza' }, { held })])).toEqual(ana);
  });

  it('has the name of the plan that was chosen, and no credits to renew', () => {
    const writes = [edit({ plano_id: 'weekly' }, { shows: { plano_nome: 'Semanal' } })];
    expect(studentWithEdits(ana, writes).plano).toEqual({
      id: 'weekly',
      nome: 'Semanal',
      creditos: 0,
      valor: 0,
    });
    expect(studentWithEdits(ana, [edit({ plano_id: null })]).plano).toBeNull();
  });
});

it('a refused edit opens in its form with its values', () => {
  expect(editStudent(edit({ whatsapp: '+5511912345678', email: null, plano_id: null }))).toEqual({
    to: '/alunos/edit/ana',
    draft: 'aluno.ana',
    values: { whatsapp: '(11) 91234-5678', email: '', plano_id: null },
  });
});
