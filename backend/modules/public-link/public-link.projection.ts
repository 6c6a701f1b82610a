import { rowProjection } from '../../platform/projections/projection.js';
import { publicLink, type PublicLinkEvent, type PublicLinkState } from './public-link.js';
import type { VisitEvent } from './visit.js';

interface LinkRow extends PublicLinkState {
  /** Whether settings were saved: an address or a blocked student also makes a row. */
  salvo: boolean;
}

/** A tenant's settings, under the tenant's id; no row until something was changed. */
export const publicLinks = rowProjection<LinkRow>({
  name: 'public-links',
  topic: 'public-link',
  table: 'public_links',
  version: 2,
  events: [
    'PublicLinkSet',
    'PublicSlugChanged',
    'VisitorBlocked',
    'VisitorUnblocked',
  ] satisfies PublicLinkEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(row, stored) {
    const event = stored as unknown as PublicLinkEvent;
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
export const visits = rowProjection<VisitRow>({
  name: 'visits',
  topic: 'visits',
  table: 'visits',
  version: 3,
  events: ['VisitorBooked', 'VisitMoved', 'VisitLapsed', 'VisitDeclined'] satisfies VisitEvent['type'][],
  keys: ({ data }) => [data.visit_id as string],
  evolve: (row, event) => {
    const { type, data } = event as unknown as VisitEvent;
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
      case 'VisitLapsed':
        return row ? { ...row, vence_em: null, venceu: true } : null;
      case 'VisitDeclined':
        return row ? { ...row, vence_em: null, mensagem: data.mensagem } : null;
    }
  },
});
