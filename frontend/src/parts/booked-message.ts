import { type Day, dayOf, formatDay, formatTime, timeOf } from '../lib/dates.js';

/** The trainer's day and zone. */
export interface Now {
  today: Day;
  zone: string;
}

/** "terça, 24 de nov., às 7:00" */
export const momentOf = (instant: string, { today, zone }: Now) =>
  `${formatDay(dayOf(instant, zone), today)}, às ${formatTime(timeOf(instant, zone))}`;

export const placeIn = (location: string | null | undefined) => (location ? ` Local: ${location}.` : '');

export interface Booked {
  inicio: string;
  location_nome: string | null;
}

/** Tells a student of a new booking. */
export const bookedMessage = ({ inicio, location_nome }: Booked, firstName: string, now: Now): string =>
  `Oi, ${firstName}! Agendei sua aula: ${momentOf(inicio, now)}.${placeIn(location_nome)} Até lá!`;
