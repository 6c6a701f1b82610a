import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import type { StudentImportEvent } from './student-import.js';

type DataOf<Type extends StudentImportEvent['type']> = Extract<StudentImportEvent, { type: Type }>['data'];

const subjects = ({ import_id }: { import_id: string }) => [`import:${import_id}`];
const students = (count: number) => plural(count, 'aluno', 'alunos');

export const studentImportHistory: HistoryWords<StudentImportEvent> = {
  StudentsImported: {
    subjects,
    words: ({ alunos }: DataOf<'StudentsImported'>) => `Importou ${students(alunos.length)} de um arquivo`,
  },
  StudentImportUndone: {
    subjects,
    words: ({ removidos, mantidos }: DataOf<'StudentImportUndone'>) =>
      `Desfez a importação de ${students(removidos.length)}` +
      (mantidos.length > 0 ? `; ${students(mantidos.length)} em uso, mantidos` : ''),
  },
};
