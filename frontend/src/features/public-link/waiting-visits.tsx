import { Card } from '../../ui/card.js';
import { ListChip } from '../../ui/chip.js';
import { Notice } from '../../ui/notice.js';
import { useVisits } from './public-link.queries.js';
import { VisitRow } from './visits.js';

/** Visitors' bookings to confirm, each with its answers. */
export default function WaitingVisits() {
  const waiting = useVisits().data?.items.filter(({ confirmado }) => !confirmado) ?? [];
  return (
    <ListChip
      figure={waiting.length > 0 ? String(waiting.length) : null}
      word="para confirmar"
      title="Reservas a confirmar"
    >
      <Card flush>
        {waiting.length === 0 && <Notice icon="check" title="Nenhuma reserva a confirmar" />}
        {waiting.map((visit) => (
          <VisitRow key={visit.id} visit={visit} />
        ))}
      </Card>
    </ListChip>
  );
}
