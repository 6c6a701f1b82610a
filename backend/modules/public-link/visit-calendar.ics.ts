import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { FoundVisit } from './public-page.queries.js';

type Announced = Pick<
  FoundVisit,
  'visitId' | 'personal' | 'inicio' | 'fim' | 'location' | 'confirmado' | 'status'
>;

/** A visitor's booking as text/calendar: the same event again where it was moved. Times are instants in UTC. */
export function calendarOf(visit: Announced, link: string, now: Date): string {
  const { visitId, personal, inicio, fim, location, confirmado, status } = visit;
  const calendar = ical({
    prodId: { company: 'Rende', product: 'Agenda', language: 'PT-BR' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const state = confirmado ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE;
  calendar.createEvent({
    id: `${visitId}@rende`,
    // Rises with time, as what changed does.
    sequence: Math.floor(now.getTime() / 1000) - EPOCH,
    stamp: now,
    start: new Date(inicio),
    end: new Date(fim),
    summary: `Aula com ${personal}`,
    ...(location && { location: [location.nome, location.endereco].filter(Boolean).join(', ') }),
    description: `Para ver, remarcar ou cancelar: ${link}`,
    status: status === 'cancelada' ? ICalEventStatus.CANCELLED : state,
  });
  return `${calendar.toString()}\r\n`;
}

/** Seconds from 1970 to 2026: sequence numbers are small. */
const EPOCH = 1_767_225_600;
