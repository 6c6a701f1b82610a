import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { Reassigned } from '../students/reassigned.js';
import type { NewStudentNote, StudentNoteChanges } from './student-notes.api.js';

interface Ids {
  note_id: string;
  student_id: string;
}

interface NoteFields {
  /** Calendar date. */
  dia: string;
  /** Null once the student is forgotten. */
  texto: string | null;
}

export type StudentNoteEvent =
  | { type: 'StudentNoteWritten'; data: Ids & NoteFields }
  /** Only what changed. */
  | { type: 'StudentNoteChanged'; data: Ids & Partial<NoteFields> }
  | { type: 'StudentNoteRemoved'; data: Ids }
  | { type: 'StudentNoteRestored'; data: Ids }
  | { type: 'StudentNoteReassigned'; data: Ids & Reassigned };

export type KnownNote = Ids & NoteFields & { removed: boolean };

/** Undefined until it is written. */
export type StudentNoteState = KnownNote | undefined;

const personal: PersonalFields<Ids & Partial<NoteFields>> = {
  person: ({ student_id }) => student_id,
  fields: ['texto'],
};
const usesNow = ({ student_id }: Ids) => ({ student: student_id });

/** A trainer's private note about a student. */
export const studentNote: Aggregate<StudentNoteState, StudentNoteEvent> = {
  name: 'student-note',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'StudentNoteWritten') return { ...data, removed: false };
    if (!state) return undefined;
    switch (type) {
      case 'StudentNoteChanged':
        return { ...state, ...data };
      case 'StudentNoteRemoved':
        return { ...state, removed: true };
      case 'StudentNoteRestored':
        return { ...state, removed: false };
      case 'StudentNoteReassigned':
        return { ...state, student_id: data.student_id };
    }
  },
  events: {
    StudentNoteWritten: { schemaVersion: 1, personal, usesNow },
    StudentNoteChanged: { schemaVersion: 1, personal, uses: 'nothing new' },
    StudentNoteRemoved: { schemaVersion: 1, usesNow: () => ({ student: null }) },
    StudentNoteRestored: { schemaVersion: 1, usesNow },
    StudentNoteReassigned: { schemaVersion: 1, usesNow },
  },
};

/** The note, removed or not. @throws Problem 404 for one that was never written */
export function knownNote(state: StudentNoteState): KnownNote {
  if (!state) throw new Problem('student-notes.not_found');
  return state;
}

/** @throws Problem 404 for a note that was removed */
function standing(state: StudentNoteState): KnownNote {
  const known = knownNote(state);
  if (known.removed) throw new Problem('student-notes.not_found');
  return known;
}

const idsOf = ({ note_id, student_id }: KnownNote): Ids => ({ note_id, student_id });

export const decideWrite = (ids: Ids, fields: NewStudentNote): StudentNoteEvent[] => [
  { type: 'StudentNoteWritten', data: { ...ids, ...fields } },
];

export function decideChange(
  state: StudentNoteState,
  { se_ainda, ...wanted }: StudentNoteChanges,
): StudentNoteEvent[] {
  const known = standing(state);
  refuseChanged('A anotação', known, se_ainda);
  const changes = changedFields<NoteFields>(known, wanted);
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'StudentNoteChanged', data: { ...idsOf(known), ...changes } }];
}

export const decideRemove = (state: StudentNoteState): StudentNoteEvent[] => [
  { type: 'StudentNoteRemoved', data: idsOf(standing(state)) },
];

/** Undoes a removal. */
export function decideRestore(state: StudentNoteState): StudentNoteEvent[] {
  const known = knownNote(state);
  return known.removed ? [{ type: 'StudentNoteRestored', data: idsOf(known) }] : [];
}
