import { useSearchParams } from 'react-router-dom';
import { type Moment, momentOf } from './dates.js';
import { useZone } from './zone.js';

/** The past moment that the address asks for (`em`); null: now. */
export function useMoment(): Moment | null {
  const [search] = useSearchParams();
  return momentOf(search.get('em'), useZone());
}
