import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { CreditState } from '../credits/credit-account.js';
import type { StudentState } from '../students/student.js';
import type { ImportLine } from './student-imports.api.js';

/** A student created from a line of the file, with the imported credits. */
interface ImportedStudent {
  linha: number;
  student_id: string;
  creditos: number;
  /** A price for the monthly plan was imported too. */
  mensalidade?: true;
}

export type StudentImportEvent =
  | { type: 'StudentsImported'; data: { import_id: string; alunos: ImportedStudent[] } }
  /** Ids of students: the removed ones, and those that were in use and stay. */
  | { type: 'StudentImportUndone'; data: { import_id: string; removidos: string[]; mantidos: string[] } };

export interface StudentImportState {
  alunos: readonly ImportedStudent[];
  /** Students that the undoing has handled. */
  desfeitos: readonly string[];
}

/** The students of one file, which is imported by several commands. */
export const studentImport: Aggregate<StudentImportState, StudentImportEvent> = {
  name: 'student-import',
  initialState: { alunos: [], desfeitos: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentsImported':
        return { ...state, alunos: [...state.alunos, ...data.alunos] };
      case 'StudentImportUndone':
        return { ...state, desfeitos: [...state.desfeitos, ...data.removidos, ...data.mantidos] };
    }
  },
  events: {
    StudentsImported: { schemaVersion: 1, uses: 'nothing new' },
    StudentImportUndone: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The lines that are not imported yet. @throws Problem 409 if the import was undone */
export function newLines(state: StudentImportState, lines: readonly ImportLine[]): ImportLine[] {
  if (state.desfeitos.length > 0) throw new Problem('student_imports.undone');
  const known = new Set(state.alunos.map(({ linha }) => linha));
  return lines.filter(({ linha }) => !known.has(linha));
}

/** Students that the undoing has not handled yet. @throws Problem 404 if nothing was imported */
export function notUndone({ alunos, desfeitos }: StudentImportState): ImportedStudent[] {
  if (alunos.length === 0) throw new Problem('student_imports.not_found');
  const looked = new Set(desfeitos);
  return alunos.filter(({ student_id }) => !looked.has(student_id));
}

/** What the undoing does with a student. One is removed only if nothing except the import refers to the student. */
export function fateOf(
  { creditos }: ImportedStudent,
  owner: StudentState,
  { lots }: CreditState,
  isInUse: boolean,
): 'remove' | 'keep' | 'gone' {
  if (owner.status === 'unknown' || owner.status === 'removed') return 'gone';
  const remaining = lots.reduce((sum, lot) => sum + lot.remaining, 0);
  const isTouched = remaining !== creditos || lots.some(({ sessions }) => sessions.length > 0);
  return owner.nome === null || isInUse || isTouched ? 'keep' : 'remove';
}
