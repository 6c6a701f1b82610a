import { stateProjection } from '../../platform/projections/projection.js';
import { studentImport } from './student-import.js';

interface ImportRow {
  em: string;
  alunos: number;
  removidos: number;
  mantidos: number;
}

/** How many students each import created, and how many the undoing removed. */
export const studentImports = stateProjection(studentImport, {
  name: 'student-imports',
  topic: 'student-imports',
  table: 'student_imports',
  evolve(row: ImportRow | undefined, { recordedAt, ...event }) {
    const { em, alunos, removidos, mantidos } = row ?? {
      ...{ em: recordedAt.toISOString(), alunos: 0, removidos: 0, mantidos: 0 },
    };
    const { type, data } = event;
    switch (type) {
      case 'StudentsImported':
        return { em, alunos: alunos + data.alunos.length, removidos, mantidos };
      case 'StudentImportUndone':
        return {
          ...{ em, alunos },
          removidos: removidos + data.removidos.length,
          mantidos: mantidos + data.mantidos.length,
        };
    }
  },
});
