import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideChange,
  decideRegister,
  decideRemove,
  decideRestore,
  payer,
  type PayerEvent,
} from './payer.js';
import { decideChoose, studentPayer } from './student-payer.js';

const payer_id = '9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const fields = { nome: 'Carla Souza', documento: null, whatsapp: '+5511987654321', email: null };
const registered: PayerEvent = { type: 'PayerRegistered', data: { payer_id, ...fields } };
const removed: PayerEvent = { type: 'PayerRemoved', data: { payer_id, alunos: ['ana'] } };
const state = given(payer, registered);
const unknown = expect.objectContaining({ code: 'payers.not_found' });

describe('a payer', () => {
  it('is registered, and records only what changes', () => {
    expect(decideRegister(payer_id, { ...fields, student_id: 'ana' })).toEqual([registered]);
    expect(decideChange(state, { ...fields, email: 'c@example.com' })).toEqual([
      { type: 'PayerChanged', data: { payer_id, email: 'c@example.com' } },
    ]);
    expect(decideChange(state, fields)).toEqual([]);
    expect(() => decideChange(state, { nome: 'Carla', se_ainda: { nome: 'Carla Lima' } })).toThrow(
      expect.objectContaining({ code: 'changed_since' }),
    );
  });

  it('is removed with whom they paid for, and restored', () => {
    expect(decideRemove(state, ['ana'])).toEqual([removed]);
    const gone = given(payer, registered, removed);
    expect(() => decideRemove(gone, [])).toThrow(unknown);
    expect(given(payer, registered, removed, ...decideRestore(gone))).toEqual(state);
    expect(decideRestore(state)).toEqual([]);
    expect(() => decideRestore(undefined)).toThrow(unknown);
  });

  it('who was forgotten is not changed', () => {
    const forgotten = { ...state!, nome: null };
    expect(() => decideChange(forgotten, { nome: 'Carla' })).toThrow(
      expect.objectContaining({ code: 'payers.forgotten' }),
    );
  });
});

it('a student has one payer, and an undo is refused where it is another one by now', () => {
  const [set] = decideChoose(studentPayer.initialState, 'ana', { payer_id });
  const chosen = given(studentPayer, set!);
  expect(decideChoose(chosen, 'ana', { payer_id })).toEqual([]);
  expect(() => decideChoose(chosen, 'ana', { payer_id: null, se_ainda: { payer_id: null } })).toThrow(
    expect.objectContaining({ code: 'changed_since' }),
  );
});
