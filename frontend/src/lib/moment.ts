import { useSearchParams } from 'react-router-dom';
import { type Moment, momentOf } from './dates.js';
import { useToday, useZone } from './zone.js';

/** Name in the address, and value of `abrir`, of the moment and of the sheet that chooses it. */
const EM = 'em';
export const ASKS_MOMENT = 'abrir=momento';

/**
 * The past moment that the address asks for, what chooses another one or returns to now (null), and whether the sheet for it is
 * open. Of a new booking, `em` is the day.
 */
export function useMoment() {
  const [search, setSearch] = useSearchParams();
  const [zone, today] = [useZone(), useToday()];
  const change = (name: string, value: string | null, replace: boolean) =>
    setSearch(
      (current) => {
        current.delete('abrir');
        if (value === null) current.delete(name);
        else current.set(name, value);
        return current;
      },
      { replace, preventScrollReset: true },
    );
  return {
    zone,
    today,
    moment: search.has('novo') ? null : momentOf(search.get(EM), zone),
    isAsking: search.get('abrir') === 'momento',
    onAsk: (is: boolean) => change('abrir', is ? 'momento' : null, !is),
    // Takes the place of the open sheet, so that "back" leads to now.
    onChoose: (em: string | null) => change(EM, em, em !== null),
  };
}

/** An address within the app, at the moment that is shown. */
export const inPast = (address: string, moment: Moment | null | undefined): string =>
  moment ? `${address}${address.includes('?') ? '&' : '?'}${EM}=${moment.em}` : address;
