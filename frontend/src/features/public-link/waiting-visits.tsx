import { LinkChip } from '../../ui/chip.js';
import { useVisits } from './public-link.queries.js';

/** Number of bookings by visitors to confirm; renders nothing if there are none. */
export default function WaitingVisits() {
  const waiting = useVisits().data?.items.filter(({ confirmado }) => !confirmado).length ?? 0;
  if (waiting === 0) return null;
  return (
    <LinkChip to="/link-publico" figure={String(waiting)}>
      para confirmar
    </LinkChip>
  );
}
