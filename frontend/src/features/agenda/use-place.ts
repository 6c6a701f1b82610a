import { useMediaQuery } from '@mantine/hooks';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { addressOf, placeIn, stepped, type Mode, type Place } from './place.js';

/** State of a history entry: the mode from which a day was opened. */
interface Opened {
  from?: Mode;
}

/**
 * The agenda's address: mode, day and open sheets, so that reloads, links and "back" work. Opening something and changing the
 * mode add a history entry; moving to another period replaces it.
 */
export function usePlace() {
  const today = useToday();
  const wide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  const [search, setSearch] = useSearchParams();
  const opened = useLocation().state as Opened | null;
  const usual: Place = { mode: wide ? 'semana' : 'dia', day: today };
  const place = placeIn(search, usual);

  const change = (
    values: Record<string, string | null>,
    { replace = false, state = opened }: { replace?: boolean; state?: Opened | null } = {},
  ) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace, state, preventScrollReset: true },
    );
  const go = (to: Place, state?: Opened) => change(addressOf(to, usual), { state: state ?? null });

  return {
    place,
    wide,
    search,
    change,
    /** Goes to another period in the same mode. */
    goTo: (day: Day) => change(addressOf({ ...place, day }, usual), { replace: true }),
    step: (periods: number) =>
      change(addressOf({ ...place, day: stepped(place, periods, wide) }, usual), { replace: true }),
    show: (changes: Partial<Place>) => go({ ...place, ...changes }),
    openDay: (day: Day) => go({ mode: 'dia', day }, { from: place.mode }),
    /** Returns to the mode from which the day was opened, if any. */
    leaveDay: () => {
      if (opened?.from) go({ ...place, mode: opened.from });
    },
  };
}
