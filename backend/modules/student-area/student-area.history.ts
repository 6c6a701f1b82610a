import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime } from '../../platform/portuguese.js';
import type { PartnerNameSet } from './partner-name.js';
import type { SessionRequestEvent } from './session-request.js';
import type { ChangeKind } from './student-area.api.js';
import type { StudentBookingSet } from './student-booking.js';

type Data = { session_id: string; student_id: string; inicio: string; pedido: ChangeKind };

const subjects = ({ session_id, student_id }: Data) => [`session:${session_id}`, `student:${student_id}`];
/** `remarcar a sessão de qui., 26 de nov. de 2026, 7:00`; without its time in its own history. */
const what = ({ pedido, session_id, inicio }: Data, zone: string, of: string | undefined) =>
  `${pedido} a sessão${of === `session:${session_id}` ? '' : ` de ${dayAndTime(inicio, zone)}`}`;

export const studentAreaHistory: HistoryWords<SessionRequestEvent | StudentBookingSet | PartnerNameSet> = {
  SessionChangeRequested: {
    subjects,
    words: (data: Data & { novo_inicio: string | null; motivo: string | null }, zone, of) =>
      [
        `O aluno pediu para ${what(data, zone, of)}`,
        data.novo_inicio && ` para ${dayAndTime(data.novo_inicio, zone)}`,
        data.motivo && `: ${data.motivo}`,
      ]
        .filter(Boolean)
        .join(''),
  },
  SessionRequestWithdrawn: {
    subjects,
    words: (data: Data, zone, of) => `O aluno cancelou o pedido para ${what(data, zone, of)}`,
  },
  SessionRequestGranted: {
    subjects,
    words: (data: Data, zone, of) => `Aceitou o pedido para ${what(data, zone, of)}`,
  },
  SessionRequestRefused: {
    subjects,
    words: (data: Data & { mensagem: string | null }, zone, of) =>
      `Recusou o pedido para ${what(data, zone, of)}${data.mensagem === null ? '' : `: ${data.mensagem}`}`,
  },
  // No subjects: the history shows the session's own event, with who caused it.
  SessionChangedByStudent: { subjects: () => [], words: () => 'O aluno mudou a sessão' },
  SessionChangeUndone: { subjects: () => [], words: () => 'O aluno desfez a mudança' },
  PartnerNameSet: {
    subjects: ({ student_id }: PartnerNameSet['data']) => [`student:${student_id}`],
    words: ({ mostra }: PartnerNameSet['data']) =>
      mostra
        ? 'O aluno passou a mostrar o primeiro nome a quem divide o horário'
        : 'O aluno deixou de mostrar o primeiro nome a quem divide o horário',
  },
  StudentBookingSet: {
    subjects: (_data: StudentBookingSet['data'], tenantId) => [`availability:${tenantId}`],
    words: ({ ativo }: StudentBookingSet['data']) =>
      ativo ? 'Definiu como os alunos agendam' : 'Fechou a agenda para os alunos',
  },
};
