import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { existingStudent, student } from '../students/student.js';
import {
  decideChange,
  decideRemove,
  decideRestore,
  decideWrite,
  knownNote,
  studentNote,
} from './student-note.js';
import type { NewStudentNote, StudentNoteChanges } from './student-notes.api.js';

export const WriteStudentNote = defineCommand(
  'WriteStudentNote',
  async (tx, student_id: string, fields: NewStudentNote) => {
    existingStudent(await tx.load(student, student_id));
    const note_id = randomUUID();
    tx.append(studentNote, note_id, decideWrite({ note_id, student_id }, fields));
    return { id: note_id };
  },
);

export const ChangeStudentNote = defineCommand(
  'ChangeStudentNote',
  async (tx, id: string, changes: StudentNoteChanges) => {
    tx.append(studentNote, id, decideChange(await loadNote(tx, id), changes));
    return { id };
  },
);

export const RemoveStudentNote = defineCommand('RemoveStudentNote', async (tx, id: string) => {
  tx.append(studentNote, id, decideRemove(await loadNote(tx, id)));
  return { id };
});

export const RestoreStudentNote = defineCommand('RestoreStudentNote', async (tx, id: string) => {
  tx.append(studentNote, id, decideRestore(await loadNote(tx, id)));
  return { id };
});

/** A note whose student exists and was not forgotten. */
async function loadNote(tx: CommandTransaction, id: string) {
  const note = knownNote(await tx.load(studentNote, id));
  existingStudent(await tx.load(student, note.student_id));
  return note;
}
