import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { formatDate } from '../../lib/dates.js';
import { useSeries } from './series.queries.js';

/** "Toda terça e quinta, 7:00": the pattern of a session's series. */
export function SeriesFact({ serie_id, ocorrencia }: Pick<Session, 'serie_id' | 'ocorrencia'>) {
  const { data } = useSeries(serie_id ?? '');
  const stretch = data?.trechos.findLast(({ desde }) => desde <= (ocorrencia ?? ''));
  if (!data || !stretch) return <>…</>;
  return (
    <>
      {stretch.texto}
      {data.ate && `, até ${formatDate(data.ate)}`}
    </>
  );
}
