import { useSearchParams } from 'react-router-dom';
import { momentOf } from './dates.js';
import { useToday, useZone } from './zone.js';

/** The past moment that the address asks for (`em`), and what chooses another one or returns to now (null). */
export function useMoment() {
  const [search, setSearch] = useSearchParams();
  const [zone, today] = [useZone(), useToday()];
  const onChoose = (em: string | null) =>
    setSearch((current) => {
      if (em === null) current.delete('em');
      else current.set('em', em);
      return current;
    });
  return { moment: momentOf(search.get('em'), zone), zone, today, onChoose };
}
