import { rowProjection, stateProjection } from '../../platform/projections/projection.js';
import { partnerName } from './partner-name.js';
import { studentBooking } from './student-booking.js';
import type { SessionRequestEvent } from './session-request.js';

/** Without a student's own changes, which the session's events contain. */
type RequestEvent = Exclude<SessionRequestEvent, { type: 'SessionChangedByStudent' | 'SessionChangeUndone' }>;

interface RequestRow {
  student_id: string;
  inicio: string;
  pedido: string;
  novo_inicio: string | null;
  novo_fim: string | null;
  motivo: string | null;
  situacao: 'aberto' | 'retirado' | 'aceito' | 'recusado';
  mensagem: string | null;
  pedido_em: string;
  no_prazo: boolean;
}

/** The last request about each session, under the session's id. */
export const sessionRequests = rowProjection<RequestRow>({
  name: 'session-requests',
  version: 2,
  topic: 'session-requests',
  table: 'session_requests',
  events: [
    'SessionChangeRequested',
    'SessionRequestWithdrawn',
    'SessionRequestGranted',
    'SessionRequestRefused',
  ] satisfies RequestEvent['type'][],
  students: ({ student_id }) => [student_id as string],
  keys: ({ data }) => [data.session_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as RequestEvent;
    if (type === 'SessionChangeRequested') {
      const { session_id: _, ...asked } = data;
      return { ...asked, situacao: 'aberto', mensagem: null, pedido_em: event.recordedAt.toISOString() };
    }
    if (!row) return null;
    switch (type) {
      case 'SessionRequestWithdrawn':
        return { ...row, situacao: 'retirado' };
      case 'SessionRequestGranted':
        return { ...row, situacao: 'aceito' };
      case 'SessionRequestRefused':
        return { ...row, situacao: 'recusado', mensagem: data.mensagem };
    }
  },
});

/** A tenant's settings, under the tenant's id; no row before the first save. */
export const studentBookings = stateProjection(studentBooking, {
  name: 'student-booking',
  topic: 'student-booking',
  table: 'student_booking',
  students: 'all',
});

/** Each student's choice, under the student's id. */
export const partnerNames = stateProjection(partnerName, {
  name: 'partner-names',
  topic: 'own-sessions',
  table: 'partner_names',
  students: ({ student_id }) => [student_id as string],
});
