import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import type { SessionsPaused, StudentPauseEvent } from '../away/student-pause.js';

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];

/** `Encerrou a pausa: 2 sessões voltaram à agenda` */
function withSessions(words: string, { canceladas = [], reabertas = [] }: Partial<SessionsPaused> = {}) {
  const done = [
    canceladas.length > 0 && `cancelou ${plural(canceladas.length, 'sessão', 'sessões')}`,
    reabertas.length > 0 && plural(reabertas.length, 'sessão voltou à agenda', 'sessões voltaram à agenda'),
  ].filter(Boolean);
  return done.length === 0 ? words : `${words}: ${done.join(', ')}`;
}

export const studentPauseHistory: HistoryWords<StudentPauseEvent> = {
  StudentPaused: {
    subjects,
    words: ({ ate, cancelamento }: { ate: string; cancelamento?: SessionsPaused }) =>
      withSessions(`Pausou o aluno até ${shortDate(ate)}`, cancelamento),
  },
  StudentResumed: {
    subjects,
    words: ({ cancelamento }: { cancelamento?: SessionsPaused }) =>
      withSessions('Encerrou a pausa do aluno', cancelamento),
  },
};
