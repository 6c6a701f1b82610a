import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { toast } from '../../ui/toast.js';
import { visitsQuery } from './public-link.queries.js';

/**
 * Announces new bookings by visitors on every page. Those made before the page was opened are not announced: by the server's
 * clock they are older than its first answer, whatever this device's clock says.
 */
export default function NewVisits() {
  const navigate = useNavigate();
  const { data } = useQuery(visitsQuery);
  const zone = useZone();
  const known = useRef<Set<string> | null>(null);

  useEffect(() => {
    if (!data) return;
    const opened = Date.parse(data.lido_em) - performance.now();
    const before = known.current;
    const news = data.items.filter(({ id, criado_em }) =>
      before ? !before.has(id) : Date.parse(criado_em) > opened,
    );
    known.current = new Set([...(before ?? []), ...data.items.map(({ id }) => id)]);
    const unanswered = news.filter(({ confirmado }) => !confirmado);
    const [visit] = unanswered;
    if (!visit) return;
    const isOne = unanswered.length === 1;
    toast.info(isOne ? 'Nova reserva pelo link' : `${unanswered.length} novas reservas pelo link`, {
      ...(isOne && {
        description: `${visit.aluno ?? visit.nome ?? 'Alguém'}, ${formatMoment(visit.inicio, zone)}`,
      }),
      action: { label: 'Ver', onClick: () => void navigate('/link-publico') },
    });
  }, [data, zone, navigate]);

  return null;
}
