import { stateProjection } from '../../platform/projections/projection.js';
import { waiting } from './waiting.js';
import type { DayPart } from './waitlist.api.js';

interface WaitingRow {
  student_id: string;
  location_id: string;
  service_id: string | null;
  nome: string | null;
  email: string | null;
  de: string;
  ate: string;
  periodos: DayPart[];
  criado_em: string;
  status: 'esperando' | 'agendada' | 'saiu';
  pulado: boolean;
  /** Number of offers so far. */
  ofertas: number;
  /** Of the current offer. */
  oferta_inicio: string | null;
  oferta_fim: string | null;
  oferta_ate: string | null;
  /** Its mail was not sent. */
  oferta_sem_email: boolean;
  oferta_enviada: boolean;
  visit_id: string | null;
}

const noOffer = {
  oferta_inicio: null,
  oferta_fim: null,
  oferta_ate: null,
  oferta_sem_email: false,
  oferta_enviada: false,
};

/** People who wait or have waited for a time, one row for each entry. */
export const waitlistRows = stateProjection(waiting, {
  name: 'waitlist',
  version: 3,
  topic: 'waitlist',
  table: 'waitlist',
  evolve(row: WaitingRow | undefined, event): WaitingRow | null {
    const { type, data } = event;
    if (type === 'WaitlistJoined') {
      const { student_id, location_id, service_id = null, nome, email, de, ate, periodos, em } = data;
      return {
        student_id,
        location_id,
        service_id,
        nome,
        email,
        de,
        ate,
        periodos,
        criado_em: em,
        status: 'esperando',
        pulado: false,
        ofertas: 0,
        visit_id: null,
        ...noOffer,
      };
    }
    if (!row) return null;
    switch (type) {
      case 'WaitlistOffered': {
        const { oferta, inicio, fim, ate } = data;
        const offered = { oferta_inicio: inicio, oferta_fim: fim, oferta_ate: ate };
        return { ...row, ...noOffer, ofertas: oferta, ...offered };
      }
      case 'WaitlistOfferNotMailed':
        return { ...row, oferta_sem_email: true };
      case 'WaitlistOfferSent':
        return { ...row, oferta_enviada: true, oferta_ate: data.ate ?? row.oferta_ate };
      case 'WaitlistOfferUnsent':
        return { ...row, oferta_enviada: false };
      case 'WaitlistOfferEnded':
        return { ...row, ...noOffer };
      case 'WaitlistSkipped':
        return { ...row, pulado: true };
      case 'WaitlistUnskipped':
        return { ...row, pulado: false };
      case 'WaitlistBooked':
        return { ...row, ...noOffer, status: 'agendada', visit_id: data.visit_id };
      case 'WaitlistLeft':
        return { ...row, ...noOffer, status: 'saiu' };
    }
  },
});
