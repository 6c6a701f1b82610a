import { describe, expect, it } from '@jest/globals';
import { decideRegister, type ExistingStudent, student, type StudentEvent } from '../students/student.js';
import { decideEmpty, decideFill } from './merge.js';

const nobody = { nome: 'Ana', whatsapp: null, email: null, plano_id: null, observacoes: null };

function known(id: string, fields: object, etiquetas: string[] = []): ExistingStudent {
  const events: StudentEvent[] = [
    ...decideRegister(id, { ...nobody, ...fields }),
    { type: 'StudentTagged', data: { student_id: id, etiquetas } },
  ];
  return after(student.initialState as never, events);
}

const after = (state: ExistingStudent, events: readonly StudentEvent[]) =>
  events.reduce((now, event) => student.evolve(now, event) as ExistingStudent, state);

const ana = known('ana', { telefone: '+5511943214321', observacoes: 'Joelho' }, ['manhã']);
const bia = known(
  'bia',
  {
    telefone: '+5521988887777',
    email: 'bia@exemplo.com.br',
    observacoes: 'Ombro',
    cpf: '11144477735',
    emergencia_nome: 'Rui',
    emergencia_telefone: '+5521977776666',
    plano_id: 'mensal',
  },
  ['manhã', 'corrida'],
);

describe('a record into which another is merged', () => {
  it('gets what it had not, and keeps what it had', () => {
    const filled = after(ana, decideFill(ana, bia, 'mensal').events);
    expect(filled).toEqual({
      ...ana,
      email: 'bia@exemplo.com.br',
      cpf: '11144477735',
      plano_id: 'mensal',
      observacoes: 'Joelho\n\nOmbro',
      emergencia_nome: 'Rui',
      emergencia_telefone: '+5521977776666',
      etiquetas: ['manhã', 'corrida'],
    });
  });

  it('gets nobody to call half, with the number of another', () => {
    const rival = { ...ana, emergencia_nome: 'Lia' };
    expect(after(rival, decideFill(rival, bia, null).events).emergencia_telefone).toBeNull();
  });

  it('is as it was when that is undone', () => {
    const { events, filled } = decideFill(ana, bia, 'mensal');
    const now = after(ana, events);
    expect(after(now, decideEmpty(now, bia, filled))).toEqual(ana);
  });

  it('keeps what was written since when that is undone', () => {
    const { events, filled } = decideFill(ana, bia, 'mensal');
    const since = { email: 'ana@exemplo.com.br', plano_id: 'pacote', observacoes: 'Joelho e ombro' };
    const now = { ...after(ana, events), ...since };
    expect(after(now, decideEmpty(now, bia, filled))).toEqual({ ...ana, ...since });
  });

  it('has no events where there is nothing to fill', () => {
    expect(decideFill(ana, { ...ana, student_id: 'other' }, null).events).toEqual([]);
  });
});
