import { stateProjection } from '../../platform/projections/projection.js';
import { visit } from './visit.js';
import { publicLink, type PublicLinkState } from './public-link.js';

interface LinkRow extends PublicLinkState {
  /** Whether settings were saved: an address or a blocked student also makes a row. */
  salvo: boolean;
}

/** A tenant's settings, under the tenant's id; no row until something was changed. */
export const publicLinks = stateProjection(publicLink, {
  name: 'public-links',
  topic: 'public-link',
  table: 'public_links',
  version: 2,
  evolve(row: LinkRow | undefined, event) {
    const after = publicLink.evolve(row ?? publicLink.initialState, event);
    switch (event.type) {
      case 'PublicLinkSet':
        return { ...after, salvo: true };
      case 'PublicSlugChanged':
      case 'VisitorBlocked':
      case 'VisitorUnblocked':
        return { ...after, salvo: row?.salvo ?? false };
    }
  },
});

interface VisitRow {
  session_id: string;
  student_id: string;
  nome: string | null;
  email: string | null;
  novo: boolean;
  consentimento: number;
  criado_em: string;
  /** The trainer's message with a refusal. */
  mensagem: string | null;
  /** When it lapses unless it is confirmed. */
  vence_em: string | null;
  venceu: boolean;
}

/** Visitors' bookings, one row each. */
export const visits = stateProjection(visit, {
  name: 'visits',
  topic: 'visits',
  table: 'visits',
  version: 4,
  evolve: (row: VisitRow | undefined, event) => {
    const { type, data } = event;
    switch (type) {
      case 'VisitorBooked': {
        const { session_id, student_id, nome, email, novo, consentimento, vence_em = null } = data;
        const criado_em = event.recordedAt.toISOString();
        return {
          ...{ session_id, student_id, nome, email, novo, consentimento, criado_em },
          ...{ mensagem: null, vence_em, venceu: false },
        };
      }
      case 'VisitMoved':
        return row ? { ...row, vence_em: data.vence_em } : null;
      case 'VisitAssigned': {
        const { student_id, nome, email } = data;
        return row ? { ...row, student_id, nome, email, novo: false } : null;
      }
      case 'VisitReassigned':
        return row ? { ...row, student_id: data.student_id } : null;
      case 'VisitLapsed':
        return row ? { ...row, vence_em: null, venceu: true } : null;
      case 'VisitDeclined':
        return row ? { ...row, vence_em: null, mensagem: data.mensagem } : null;
    }
  },
});
