import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { existingStudent, student, type StudentEvent } from '../students/student.js';
import {
  decideAnswer,
  decideTell,
  saidOnJoining,
  toldContact,
  type ToldContactEvent,
} from './told-contact.js';

const student_id = '5b6f0b0e-55a6-4b53-8b5b-2f6a54f2b7d1';
const [old, fresh, other] = ['+5511987654321', '+5521987654321', '+5531987654321'];
const registered: StudentEvent = {
  type: 'StudentRegistered',
  data: {
    student_id,
    nome: 'Ana Souza',
    telefone: old,
    whatsapp: old,
    email: null,
    plano_id: null,
    observacoes: null,
  },
};
const ana = given(student, registered);
const told = (data: { whatsapp?: string | null; nome?: string | null }): ToldContactEvent => ({
  type: 'ContactTold',
  data: { student_id, ...data },
});
const taken: ToldContactEvent = {
  type: 'ToldContactTaken',
  data: { student_id, campo: 'whatsapp', antes: { whatsapp: old, telefone: old } },
};
const updated = (number: string): StudentEvent => ({
  type: 'StudentUpdated',
  data: { student_id, telefone: number, whatsapp: number },
});

describe('what a student changed in the own account', () => {
  const tell = (change: Parameters<typeof decideTell>[2], ...events: ToldContactEvent[]) =>
    decideTell(given(toldContact, ...events), ana, change);

  it('is told, the latest value and each value once, also after the trainer has answered', () => {
    expect(tell({ whatsapp: fresh })).toEqual([told({ whatsapp: fresh })]);
    expect(tell({ whatsapp: fresh }, told({ whatsapp: fresh }))).toEqual([]);
    expect(tell({ whatsapp: other }, told({ whatsapp: fresh }))).toEqual([told({ whatsapp: other })]);
    const kept: ToldContactEvent = {
      type: 'ToldContactDismissed',
      data: { student_id, campo: 'whatsapp' },
    };
    expect(tell({ whatsapp: fresh }, told({ whatsapp: fresh }), kept)).toEqual([]);
  });

  it('is no question where the register says the same, and takes an open question back', () => {
    expect(tell({ whatsapp: old })).toEqual([]);
    expect(tell({ whatsapp: old }, told({ whatsapp: fresh }))).toEqual([told({ whatsapp: null })]);
    expect(tell({ whatsapp: null }, told({ whatsapp: fresh }))).toEqual([told({ whatsapp: null })]);
  });

  it("is told of a name only where the account's name was or is the student's, not a parent's", () => {
    const nome = { antes: 'ana', agora: 'Ana Lima' };
    expect(tell({ nome })).toEqual([told({ nome: 'Ana Lima' })]);
    expect(tell({ nome: { antes: 'Ana Souza', agora: 'Bia Souza' } })).toEqual([told({ nome: 'Bia Souza' })]);
    expect(tell({ nome: { antes: 'Marta Souza', agora: 'Marta Lima' } })).toEqual([]);
    expect(tell({ nome: { antes: 'Ana Lima', agora: 'Ana Souza' } })).toEqual([]);
  });

  it('is told of the account that a student joins with, but not of a name that the register has more of', () => {
    const join = (nome: string, telefone: string | null) => tell(saidOnJoining(ana, { nome, telefone }));
    expect(join('Ana Lima', fresh)).toEqual([told({ whatsapp: fresh, nome: 'Ana Lima' })]);
    for (const nome of ['Ana', 'ana souza', 'Marta Lima']) expect(join(nome, null)).toEqual([]);
  });

  it('is not told of a student who is unknown, removed or forgotten', () => {
    const nameless = { ...registered, data: { ...registered.data, nome: null } } as StudentEvent;
    const removed: StudentEvent = { type: 'StudentRemoved', data: { student_id } };
    for (const gone of [given(student), given(student, registered, removed), given(student, nameless)])
      expect(decideTell(toldContact.initialState, gone, { whatsapp: fresh })).toEqual([]);
  });
});

describe('the answer of the trainer', () => {
  const answer = (
    resposta: 'atualizar' | 'manter' | 'perguntar',
    events: ToldContactEvent[],
    register: StudentEvent[] = [registered],
  ) =>
    decideAnswer(given(toldContact, ...events), existingStudent(given(student, ...register)), {
      campo: 'whatsapp',
      valor: fresh,
      resposta,
    });
  const asked = told({ whatsapp: fresh });

  it('writes the register, or leaves it as it is, once', () => {
    expect(answer('atualizar', [asked])).toEqual({ told: [taken], register: { whatsapp: fresh } });
    const kept = answer('manter', [asked]);
    expect(kept).toMatchObject({ told: [{ type: 'ToldContactDismissed' }] });
    expect(kept.register).toBeUndefined();
    for (const again of ['atualizar', 'manter'] as const)
      expect(answer(again, [asked, ...kept.told])).toEqual({ told: [] });
  });

  it('is undone with what the register said before, unless that was changed since', () => {
    const undone = answer('perguntar', [asked, taken], [registered, updated(fresh)]);
    expect(undone.register).toEqual({ whatsapp: old, telefone: old, se_ainda: { whatsapp: fresh } });
    expect(given(toldContact, asked, taken, ...undone.told).whatsapp).toEqual({ valor: fresh, aberto: true });
    expect(answer('perguntar', [asked])).toEqual({ told: [] });
  });

  it('is refused for what the student has replaced since', () => {
    const since = [asked, told({ whatsapp: other })];
    for (const resposta of ['atualizar', 'manter', 'perguntar'] as const)
      expect(() => answer(resposta, since)).toThrow('told_contacts.changed');
    expect(() => answer('atualizar', [])).toThrow('told_contacts.changed');
  });
});
