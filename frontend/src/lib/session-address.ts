import { dayOf } from './dates.js';

/** Where a session is shown in the calendar. */
export const sessionAddress = ({ id, inicio }: { id: string; inicio: string }, zone: string): string =>
  `/agenda?${new URLSearchParams({ dia: dayOf(inicio, zone), sessao: id }).toString()}`;
