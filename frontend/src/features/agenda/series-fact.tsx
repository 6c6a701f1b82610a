import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SeriesChangeKind } from '../../../../backend/modules/series/series.api.js';
import { read } from '../../lib/calls.js';
import { formatDate } from '../../lib/dates.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { toast } from '../../ui/toast.js';
import { useSeries, useUndoSeries } from './series.queries.js';

/** "Toda terça e quinta, 7:00": the pattern of a session's series, whose last change can be undone. */
export function SeriesFact({ serie_id, ocorrencia }: Pick<Session, 'serie_id' | 'ocorrencia'>) {
  const { data } = useSeries(serie_id ?? '');
  const undo = useUndoSeries();
  const stretch = data?.trechos.findLast(({ desde }) => desde <= (ocorrencia ?? ''));
  if (!data || !stretch) return <>…</>;
  const { id, ate, pode_desfazer } = data;
  return (
    <>
      {stretch.texto}
      {ate && `, até ${formatDate(ate)}`}
      {pode_desfazer && (
        <UndoButton
          size="sm"
          variant="subtle"
          px={8}
          mr={-8}
          ml="auto"
          display="block"
          what={undoings[pode_desfazer.tipo]}
          of={pode_desfazer.mudanca_id}
          price={(signal) =>
            read('GET /series/:id/changes/:change/undo/preview', {
              of: [id, pode_desfazer.mudanca_id],
              signal,
            })
          }
          onUndo={async () => {
            if (await undo({ id, ...pode_desfazer })) toast.success('Horário fixo como estava antes');
          }}
        />
      )}
    </>
  );
}

const undoings: Record<SeriesChangeKind, string> = {
  criada: 'Desfazer horário fixo',
  alterada: 'Desfazer novo horário',
  cancelada: 'Reabrir horário fixo',
  excluida: 'Restaurar horário fixo',
  dias: 'Desfazer novos dias',
};
