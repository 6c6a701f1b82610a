import type { HistoryWords } from '../../platform/event-store/history.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, dayAndTime, timeOf } from '../../platform/portuguese.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import type { CreditUse, FormerDetails, Period, SessionEvent } from '../sessions/session.js';
import { reassignedWords } from '../students/reassigned.js';

type DataOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

const reasons: Record<CancellationReason, string> = {
  personal: 'pelo personal',
  aluno_no_prazo: 'pelo aluno, no prazo',
  aluno_fora_do_prazo: 'pelo aluno, fora do prazo',
  falta: 'falta do aluno',
};

const labels: Record<keyof FormerDetails, string> = {
  student_id: 'aluno',
  location_id: 'local',
  observacoes: 'observações',
  confirmado: 'confirmação',
};

const details = Object.keys(labels) as (keyof FormerDetails)[];

const creditWords: Record<CreditUse, string> = {
  nenhum: '',
  usado: 'descontou 1 crédito',
  faltou: 'sem crédito, a cobrar',
};

/** `qui., 26 de nov. de 2026, 7:00–8:00` */
const when = ({ inicio, fim }: Period, zone: string) => `${dayAndTime(inicio, zone)}–${timeOf(fim, zone)}`;

/** Like `when`, on the same day without its date: `8:00–9:00`. */
const whenMoved = (to: Period, before: Period, zone: string) =>
  dateOf(to.inicio, zone) === dateOf(before.inicio, zone)
    ? `${timeOf(to.inicio, zone)}–${timeOf(to.fim, zone)}`
    : when(to, zone);

const isOwn = ({ session_id }: { session_id: string }, of: string | undefined) =>
  of === `session:${session_id}`;

/** `a sessão de qui., 26 de nov. de 2026, 7:00–8:00`; without its time in its own history. */
const named = (data: Period & { session_id: string }, zone: string, of: string | undefined) =>
  isOwn(data, of) ? 'a sessão' : `a sessão de ${when(data, zone)}`;

const withDetails = (words: string, ...details: (string | false | null | undefined)[]) =>
  [words, details.filter(Boolean).join(', ')].filter(Boolean).join(': ');

const subjects = ({ session_id, student_id }: { session_id: string; student_id: string }) => [
  `session:${session_id}`,
  `student:${student_id}`,
];

const at = (location_id: string | null | undefined) => (location_id ? [`location:${location_id}`] : []);

/** A credit that a session gives back has a line of its own, which its account writes. */
export const agendaHistory: HistoryWords<SessionEvent> = {
  SessionBooked: {
    // Bookings by a series appear once, as an entry of the series.
    subjects: (data) =>
      data.serie_id ? [`session:${data.session_id}`] : [...subjects(data), ...at(data.location_id)],
    words: (data, zone, of) =>
      withDetails(
        // Only a visitor's booking begins unconfirmed.
        data.confirmado
          ? `Agendou ${named(data, zone, of)}`
          : `Reserva feita pelo link público${isOwn(data, of) ? '' : `: ${when(data, zone)}`}`,
        data.grupo_id && 'em grupo',
        data.permitir_conflito && 'com “Agendar mesmo assim”',
        data.observacoes && `observações (${data.observacoes})`,
      ),
  },
  SessionGrouped: {
    subjects,
    words: (data, zone, of) => `Adicionou outros alunos ao horário d${named(data, zone, of)}`,
  },
  SessionRescheduled: {
    subjects,
    words: (data, zone) => {
      const before = { inicio: data.inicio_antes, fim: data.fim_antes };
      return `Remarcou a sessão de ${when(before, zone)} para ${whenMoved(data, before, zone)}`;
    },
  },
  SessionChanged: {
    subjects: (data) => [
      ...subjects(data),
      ...(data.antes.student_id ? [`student:${data.antes.student_id}`] : []),
      ...('location_id' in data.antes ? [...at(data.antes.location_id), ...at(data.location_id)] : []),
    ],
    words: (data, zone, of) =>
      withDetails(
        `Alterou ${named(data, zone, of)}`,
        ...details.filter((field) => field in data.antes).map((field) => changed(field, data)),
        data.antes.student_id && creditWords[data.credito],
      ),
  },
  SessionCompleted: {
    subjects,
    words: (data, zone, of) =>
      withDetails(`Marcou ${named(data, zone, of)} como feita`, creditWords[data.credito]),
  },
  SessionReopened: {
    subjects,
    words: (data, zone, of) => `Reabriu ${named(data, zone, of)}`,
  },
  SessionCancelled: {
    subjects,
    words: (data, zone, of) =>
      withDetails(
        `Cancelou ${named(data, zone, of)} (${reasons[data.motivo]})`,
        creditWords[data.credito],
        data.taxa > 0 && `taxa de ${brl(data.taxa)}`,
        data.politica === null && data.motivo !== 'personal' && 'não aplicou a política',
        data.justificativa && `justificativa (${data.justificativa})`,
      ),
  },
  SessionReassigned: {
    subjects: ({ session_id }) => [`session:${session_id}`],
    words: reassignedWords,
  },
  SessionDeleted: {
    subjects,
    words: (data, zone, of) => `Excluiu ${named(data, zone, of)}`,
  },
  SessionRestored: {
    subjects,
    words: (data, zone, of) =>
      withDetails(`Desfez a exclusão d${named(data, zone, of)}`, creditWords[data.credito]),
  },
};

function changed(field: keyof FormerDetails, data: DataOf<'SessionChanged'>): string {
  if (field === 'confirmado') return data.confirmado ? 'confirmada' : 'não confirmada';
  if (field === 'observacoes' && data.observacoes) return `observações (${data.observacoes})`;
  return labels[field];
}
