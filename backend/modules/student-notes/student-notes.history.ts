import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { reassignedWords } from '../students/reassigned.js';
import type { StudentNoteEvent } from './student-note.js';

type Of<Type extends StudentNoteEvent['type']> = Extract<StudentNoteEvent, { type: Type }>['data'];

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const quoted = (texto: string | null) => (texto === null ? '' : `: “${texto}”`);

export const studentNoteHistory: HistoryWords<StudentNoteEvent> = {
  StudentNoteWritten: {
    subjects,
    words: ({ dia, texto }: Of<'StudentNoteWritten'>) =>
      `Fez a anotação de ${shortDate(dia)}${quoted(texto)}`,
  },
  StudentNoteChanged: {
    subjects,
    words: ({ dia, texto }: Of<'StudentNoteChanged'>) =>
      `Alterou uma anotação${dia === undefined ? '' : `, agora de ${shortDate(dia)}`}${quoted(texto ?? null)}`,
  },
  StudentNoteRemoved: { subjects, words: () => 'Excluiu uma anotação' },
  StudentNoteReassigned: { subjects: () => [], words: reassignedWords },
  StudentNoteRestored: { subjects, words: () => 'Desfez a exclusão de uma anotação' },
};
