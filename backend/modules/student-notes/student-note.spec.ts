import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideChange,
  decideRemove,
  decideRestore,
  decideWrite,
  studentNote,
  type StudentNoteEvent,
} from './student-note.js';

const ids = {
  note_id: '3f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d51',
  student_id: '5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e',
};
const fields = { dia: '2030-01-07', texto: 'Dor no ombro direito' };
const written: StudentNoteEvent = { type: 'StudentNoteWritten', data: { ...ids, ...fields } };
const removed: StudentNoteEvent = { type: 'StudentNoteRemoved', data: ids };
const unknown = expect.objectContaining({ code: 'student-notes.not_found' });

describe('a note on a student', () => {
  it('is written with its day', () => {
    expect(decideWrite(ids, fields)).toEqual([written]);
  });

  it('records only changed fields', () => {
    const state = given(studentNote, written);
    expect(decideChange(state, { ...fields, dia: '2030-01-08' })).toEqual([
      { type: 'StudentNoteChanged', data: { ...ids, dia: '2030-01-08' } },
    ]);
    expect(decideChange(state, fields)).toEqual([]);
  });

  it('is removed, and restored unchanged', () => {
    expect(decideRemove(given(studentNote, written))).toEqual([removed]);
    const gone = given(studentNote, written, removed);
    expect(() => decideRemove(gone)).toThrow(unknown);
    expect(() => decideChange(gone, fields)).toThrow(unknown);
    const [back] = decideRestore(gone);
    expect(given(studentNote, written, removed, back!)).toEqual(given(studentNote, written));
    expect(decideRestore(given(studentNote, written))).toEqual([]);
  });

  it('that was never written is unknown', () => {
    expect(() => decideRestore(undefined)).toThrow(unknown);
    expect(() => decideRemove(undefined)).toThrow(unknown);
  });
});
