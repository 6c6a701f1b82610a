import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { toast } from '../../ui/toast.js';
import { visitsQuery } from './public-link.queries.js';

/** Says when a stranger has booked, wherever the trainer is. What waited already when the page was opened is no news. */
export default function NewVisits() {
  const navigate = useNavigate();
  const { data } = useQuery(visitsQuery);
  const zone = useZone();
  const known = useRef<Set<string> | null>(null);

  useEffect(() => {
    if (!data) return;
    const news = known.current === null ? [] : data.items.filter(({ id }) => !known.current!.has(id));
    known.current = new Set([...(known.current ?? []), ...data.items.map(({ id }) => id)]);
    for (const { nome, aluno, inicio, confirmado } of news)
      if (!confirmado)
        toast.info('Novo agendamento pelo link', {
          description: `${aluno ?? nome ?? 'Alguém'}, ${formatMoment(inicio, zone)}`,
          action: { label: 'Ver', onClick: () => void navigate('/link-publico') },
        });
  }, [data, zone, navigate]);

  return null;
}
