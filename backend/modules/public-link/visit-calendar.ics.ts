import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { withoutAddresses } from '../../platform/http/addresses.api.js';
import { brl } from '../../platform/portuguese.js';
import type { FoundVisit } from './public-page.queries.js';

type Announced = Pick<
  FoundVisit,
  'visitId' | 'personal' | 'inicio' | 'fim' | 'location' | 'confirmado' | 'status'
> & {
  /** Cents that are to be paid before it stands. */
  pedido: number;
};

const titleOf = ({ personal }: Announced) => withoutAddresses(`Aula com ${personal}`);
const placeOf = ({ location }: Announced) =>
  location && withoutAddresses([location.nome, location.endereco].filter(Boolean).join(', '));
const detailsOf = ({ pedido, status }: Announced, link: string) =>
  `${pedido > 0 && status === 'agendada' ? `Falta pagar ${brl(pedido)} por Pix. ` : ''}Para ver, remarcar ou cancelar: ${link}`;

/** The address that opens Google Calendar with the booking filled in. */
export function googleCalendarOf(visit: Announced, link: string): string {
  const compact = (at: string) => at.replace(/[-:]|\.\d+/g, '');
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: titleOf(visit),
    details: detailsOf(visit, link),
    dates: `${compact(visit.inicio)}/${compact(visit.fim)}`,
    location: placeOf(visit) ?? '',
  });
  return `https://calendar.google.com/calendar/render?${query.toString()}`;
}

/** A visitor's booking as text/calendar: a moved one keeps its UID. Times are instants in UTC. */
export function calendarOf(visit: Announced, link: string, now: Date): string {
  const { visitId, inicio, fim, confirmado, status } = visit;
  const calendar = ical({
    prodId: { company: 'Rende', product: 'Agenda', language: 'PT-BR' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const state = confirmado ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE;
  calendar.createEvent({
    id: `${visitId}@rende`,
    // Increases with time, as calendar programs require of a changed event.
    sequence: Math.floor(now.getTime() / 1000) - EPOCH,
    stamp: now,
    start: new Date(inicio),
    end: new Date(fim),
    summary: titleOf(visit),
    location: placeOf(visit),
    description: detailsOf(visit, link),
    status: status === 'cancelada' ? ICalEventStatus.CANCELLED : state,
  });
  return `${calendar.toString()}\r\n`;
}

/** Seconds from 1970 to 2026: keeps sequence numbers small. */
const EPOCH = 1_767_225_600;
