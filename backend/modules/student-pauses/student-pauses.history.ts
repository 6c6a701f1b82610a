import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import type { StudentPauseEvent } from '../away/student-pause.js';

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];

export const studentPauseHistory: HistoryWords<StudentPauseEvent> = {
  StudentPaused: { subjects, words: ({ ate }: { ate: string }) => `Pausou o aluno até ${shortDate(ate)}` },
  StudentResumed: { subjects, words: () => 'Encerrou a pausa do aluno' },
};
