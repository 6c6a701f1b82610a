import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime } from '../../platform/portuguese.js';
import type { ReminderEvent } from './reminder.js';

type Data = { session_id: string; student_id: string; inicio: string };

const subjects = ({ session_id, student_id }: Data) => [`session:${session_id}`, `student:${student_id}`];
/** `sessão de qui., 26 de nov. de 2026, 7:00`; without its time in its own history. */
const named = ({ session_id, inicio }: Data, zone: string, of: string | undefined) =>
  of === `session:${session_id}` ? 'sessão' : `sessão de ${dayAndTime(inicio, zone)}`;
const said = (what: string) => ({
  subjects,
  words: (data: Data, zone: string, of?: string) => `${what} da ${named(data, zone, of)}`,
});

export const reminderHistory: HistoryWords<ReminderEvent> = {
  ReminderPrepared: {
    subjects,
    words: (data: Data & { por_email: boolean }, zone, of) =>
      `Preparou o lembrete da ${named(data, zone, of)}${data.por_email ? ': enviado por e-mail' : ''}`,
  },
  ReminderSent: said('Enviou pelo WhatsApp o lembrete'),
  ReminderUnsent: said('Desfez o envio do lembrete'),
  ReminderConfirmed: {
    subjects,
    words: (data: Data, zone, of) => `O aluno confirmou a presença na ${named(data, zone, of)}`,
  },
};
