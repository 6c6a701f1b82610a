import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime } from '../../platform/portuguese.js';
import type { ReminderEvent } from './reminder.js';

type Data = { session_id: string; student_id: string; inicio: string };

const subjects = ({ session_id, student_id }: Data) => [`session:${session_id}`, `student:${student_id}`];
const said = (what: string) => ({
  subjects,
  words: ({ inicio }: Data, zone: string) => `${what} da sessão de ${dayAndTime(inicio, zone)}`,
});

export const reminderHistory: HistoryWords<ReminderEvent> = {
  ReminderPrepared: {
    subjects,
    words: (data: Data & { por_email: boolean }, zone) =>
      `Preparou o lembrete da sessão de ${dayAndTime(data.inicio, zone)}${data.por_email ? ': enviado por e-mail' : ''}`,
  },
  ReminderSent: said('Enviou pelo WhatsApp o lembrete'),
  ReminderUnsent: said('Desfez o envio do lembrete'),
  ReminderConfirmed: {
    subjects,
    words: ({ inicio }: Data, zone) =>
      `O aluno confirmou a presença na sessão de ${dayAndTime(inicio, zone)}`,
  },
};
