import { dayOf } from './dates.js';

/** Address that shows a session in the calendar. */
export const sessionAddress = ({ id, inicio }: { id: string; inicio: string }, zone: string): string =>
  `/agenda?${new URLSearchParams({ dia: dayOf(inicio, zone), sessao: id }).toString()}`;
