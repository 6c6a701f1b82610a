import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  activeStudent,
  decideArchive,
  decideRegister,
  decideRemove,
  decideRestore,
  decideTag,
  decideUpdate,
  student,
  type StudentEvent,
} from './student.js';

const student_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const plano_id = '1f2b7a52-44ab-4a50-8a0b-3f6d9bb4e0f2';
const registered: StudentEvent = {
  type: 'StudentRegistered',
  data: {
    student_id,
    nome: 'Ana Souza',
    telefone: '+5511943214321',
    whatsapp: '+5511943214321',
    email: null,
    plano_id,
    observacoes: null,
  },
};
const archived: StudentEvent = { type: 'StudentArchived', data: { student_id } };
const removed: StudentEvent = { type: 'StudentRemoved', data: { student_id } };

const refusal = (code: string) => expect.objectContaining({ code });

describe('registering a student', () => {
  it('keeps one number as phone and as WhatsApp', () => {
    const fields = {
      nome: 'Ana Souza',
      whatsapp: '+5511943214321',
      email: null,
      plano_id,
      observacoes: null,
    };
    expect(decideRegister(student_id, fields)).toEqual([registered]);
  });

  it('keeps two numbers apart', () => {
    const fields = { nome: 'Ana', telefone: '+551134567890', whatsapp: '+5511943214321' };
    const [event] = decideRegister(student_id, { ...fields, email: null, plano_id: null, observacoes: null });
    expect(event?.data).toMatchObject(fields);
  });
});

describe('the optional details of a student', () => {
  const known: StudentEvent = {
    type: 'StudentDetailsChanged',
    data: { student_id, nascimento: '1990-05-17', emergencia_nome: 'Maria' },
  };
  const fields = { nome: 'Ana Souza', whatsapp: '+5511943214321', email: null, plano_id, observacoes: null };

  it('is recorded in a separate event, if there is any', () => {
    const told = { nascimento: '1990-05-17', emergencia_nome: 'Maria', responsavel_nome: null };
    expect(decideRegister(student_id, { ...fields, ...told })).toEqual([registered, known]);
  });

  it('is changed together with the other fields; each event has only what differs', () => {
    const state = given(student, registered, known);
    const wanted = { nome: 'Ana', nascimento: '1990-05-17', emergencia_nome: null };
    expect(decideUpdate(state, wanted)).toEqual([
      { type: 'StudentUpdated', data: { student_id, nome: 'Ana' } },
      { type: 'StudentDetailsChanged', data: { student_id, emergencia_nome: null } },
    ]);
    expect(decideUpdate(state, { nascimento: '1990-05-17' })).toEqual([]);
  });
});

it('a student is changed back only while what was changed stands', () => {
  const edited = decideUpdate(given(student, registered), {
    telefone: '+551133334444',
    nascimento: '2012-05-17',
  });
  const state = given(student, registered, ...edited);
  const back = {
    telefone: '+5511943214321',
    nascimento: null,
    se_ainda: { telefone: '+551133334444', nascimento: '2012-05-17' },
  };
  const undone = given(student, registered, ...edited, ...decideUpdate(state, back));
  expect(undone).toEqual(given(student, registered));
  const since = decideUpdate(state, { nascimento: '2013-05-17' });
  expect(() => decideUpdate(given(student, registered, ...edited, ...since), back)).toThrow(
    refusal('changed_since'),
  );
});

describe('the tags of a student', () => {
  const tagged: StudentEvent = {
    type: 'StudentTagged',
    data: { student_id, etiquetas: ['Manhã', 'Corrida'] },
  };

  it('are recorded together if they differ', () => {
    expect(decideTag(given(student, registered), ['Manhã', 'Corrida'])).toEqual([tagged]);
    const state = given(student, registered, tagged);
    expect(decideTag(state, ['Manhã', 'Corrida'])).toEqual([]);
    expect(decideTag(state, ['Corrida'])[0]?.data).toMatchObject({ etiquetas: ['Corrida'] });
    expect(decideTag(state, ['Corrida', 'Manhã'])).toHaveLength(1);
  });

  it('are none once the person is forgotten', () => {
    const forgotten: StudentEvent = { type: 'StudentTagged', data: { student_id, etiquetas: [null, null] } };
    expect(given(student, registered, forgotten)).toMatchObject({ etiquetas: [] });
  });

  it('need an existing student', () => {
    expect(() => decideTag(given(student), ['x'])).toThrow(refusal('students.not_found'));
  });
});

describe('updating a student', () => {
  it('records only what changes', () => {
    expect(
      decideUpdate(given(student, registered), { nome: 'Ana Souza', email: 'ana@exemplo.com.br' }),
    ).toEqual([{ type: 'StudentUpdated', data: { student_id, email: 'ana@exemplo.com.br' } }]);
  });

  it('records nothing when nothing changes', () => {
    expect(decideUpdate(given(student, registered), { nome: 'Ana Souza', plano_id })).toEqual([]);
  });

  it('changes phone and WhatsApp together if they are the same number', () => {
    const number = '+5521987654321';
    for (const changes of [{ whatsapp: number }, { telefone: number }]) {
      expect(decideUpdate(given(student, registered), changes)).toEqual([
        { type: 'StudentUpdated', data: { student_id, telefone: number, whatsapp: number } },
      ]);
    }
  });

  it('keeps the phone if only the WhatsApp number is removed', () => {
    expect(decideUpdate(given(student, registered), { whatsapp: null })).toEqual([
      { type: 'StudentUpdated', data: { student_id, whatsapp: null } },
    ]);
  });

  it('corrects an archived student too', () => {
    expect(decideUpdate(given(student, registered, archived), { nome: 'Ana S.' })).toHaveLength(1);
  });

  it('does not find a removed student', () => {
    expect(() => decideUpdate(given(student, registered, removed), { nome: 'Ana S.' })).toThrow(
      refusal('students.not_found'),
    );
  });
});

describe('archiving and removing a student', () => {
  it('archives once', () => {
    expect(decideArchive(given(student, registered))).toEqual([archived]);
    expect(decideArchive(given(student, registered, archived))).toEqual([]);
  });

  it('cannot be used for anything new while archived', () => {
    expect(() => activeStudent(given(student, registered, archived))).toThrow(refusal('students.archived'));
    expect(activeStudent(given(student, registered))).toMatchObject({ nome: 'Ana Souza' });
  });

  it('removes a student to whom nothing refers', () => {
    expect(decideRemove(given(student, registered), false)).toEqual([removed]);
  });

  it('refuses to remove a student with history', () => {
    expect(() => decideRemove(given(student, registered), true)).toThrow(refusal('students.in_use'));
  });

  it('finds no student that was never registered', () => {
    expect(() => decideRemove(given(student), false)).toThrow(refusal('students.not_found'));
    expect(() => decideRestore(given(student), true)).toThrow(refusal('students.not_found'));
  });
});

it('refuses every change of a forgotten student', () => {
  const forgotten: StudentEvent = {
    type: 'StudentRegistered',
    data: {
      student_id,
      nome: null,
      telefone: null,
      whatsapp: null,
      email: null,
      plano_id,
      observacoes: null,
    },
  };
  const state = given(student, forgotten, archived);
  const attempts = [
    () => decideUpdate(state, { nome: 'Ana Souza' }),
    () => decideArchive(state),
    () => decideRemove(state, false),
    () => decideRestore(state, true),
    () => activeStudent(state),
  ];
  for (const attempt of attempts) expect(attempt).toThrow(refusal('students.forgotten'));
});

describe('restoring a student', () => {
  const restored: StudentEvent = { type: 'StudentRestored', data: { student_id, plano_id } };

  it.each([[archived], [removed]])('undoes %j with all its fields', (event) => {
    const state = given(student, registered, event);
    expect(decideRestore(state, true)).toEqual([restored]);
    expect(given(student, registered, event, restored)).toEqual(given(student, registered));
  });

  it('does not assign a plan that was removed', () => {
    expect(decideRestore(given(student, registered, removed), false)).toEqual([
      { type: 'StudentRestored', data: { student_id, plano_id: null } },
    ]);
  });

  it('has nothing to undo for an active student', () => {
    expect(decideRestore(given(student, registered), true)).toEqual([]);
  });
});
