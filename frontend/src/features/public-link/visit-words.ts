import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { formatMoment } from '../../lib/dates.js';

export const messageTo = (visit: Pick<Visit, 'whatsapp'>, text: string) =>
  visit.whatsapp && whatsAppAddress(visit.whatsapp, text);

/** Whom a booking is for. */
export const whoIn = ({ aluno, nome }: Pick<Visit, 'aluno' | 'nome'>): string =>
  aluno ?? nome ?? 'Aluno apagado';

export const firstOf = (visit: Visit) => firstName(whoIn(visit));

/** Proposes another time. */
export const insteadOf = (visit: Visit, zone: string): string =>
  `Oi, ${firstOf(visit)}! Não consigo te atender em ${formatMoment(visit.inicio, zone)}. Vamos agendar outro horário?`;
