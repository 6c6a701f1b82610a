import { type Day, dayOf, formatDay, formatTime, timeOf } from '../lib/dates.js';

/** The trainer's day and zone. */
export interface Now {
  today: Day;
  zone: string;
}

/** "terça, 24 de nov., às 7:00" */
export const momentOf = (instant: string, { today, zone }: Now) =>
  `${formatDay(dayOf(instant, zone), today)}, às ${formatTime(timeOf(instant, zone))}`;

/** What stands between the time and the next sentence; `meeting`: the address of an online one, on a line of its own. */
export const placeIn = (location: string | null | undefined, meeting?: string | null) =>
  location ? ` Local: ${location}. ` : meeting ? `\nLink da chamada: ${meeting}\n` : ' ';

export interface Booked {
  inicio: string;
  location_nome: string | null;
  servico?: { endereco: string | null } | null | undefined;
}

/** Tells a student of a new booking. */
export const bookedMessage = (
  { inicio, location_nome, servico }: Booked,
  firstName: string,
  now: Now,
): string =>
  `Oi, ${firstName}! Agendei sua aula: ${momentOf(inicio, now)}.${placeIn(location_nome, servico?.endereco)}Até lá!`;
