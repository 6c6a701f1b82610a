import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type {
  Recurrence,
  SeriesCancellation,
  SeriesChanges,
  SeriesDone,
  SeriesMembers,
  SeriesScope,
} from '../../../../backend/modules/series/series.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSendTo } from '../../lib/command.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { toast } from '../../ui/toast.js';
import type { ShownSession } from './pending-session.js';
import { SESSIONS } from './session-reads.js';

/** What a series would create now. */
export function useSeriesPreview({ dias, ...recurrence }: Recurrence) {
  const query = { ...recurrence, dias: dias.join(',') };
  return useQuery({
    queryKey: [SESSIONS, 'preview', query],
    queryFn: ({ signal }) => read('GET /series/preview', { query, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function useSeries(id: string) {
  return useAnswer([SESSIONS, 'series', id], 'GET /series/:id', { of: [id] });
}

/** An action on a session and others of its series. */
export type SeriesStep = { id: string; escopo: SeriesScope } & (
  | { step: 'change'; body: Omit<SeriesChanges, 'escopo'> }
  | { step: 'cancel'; body: Omit<SeriesCancellation, 'escopo'> }
  | { step: 'delete'; body: object }
  | { step: 'students'; body: Omit<SeriesMembers, 'escopo'> }
);

export function useSeriesStep() {
  return useCommand({
    send: ({ id, escopo, step, body }: SeriesStep, key) =>
      step === 'change'
        ? write('PATCH /sessions/:id/series', key, { of: [id], body: { escopo, ...body } })
        : write(`POST /sessions/:id/series/${step}`, key, { of: [id], body: { escopo, ...body } }),
  });
}

/** Sessions of an hour and of later ones. */
export async function sessionsOf(hour: ShownSession, ids: readonly string[]): Promise<Session[]> {
  const known = hour.membros ?? [hour];
  const found = ids.map(
    async (id) =>
      known.find((one) => one.id === id) ?? (await read('GET /sessions/:id', { of: [id] }).catch(() => null)),
  );
  return (await Promise.all(found)).filter((one) => one !== null);
}

/** Undoes a change of a series. If its times are meanwhile taken, the refusal offers to share them. */
export function useUndoSeries() {
  const { mutateAsync } = useSendTo('POST /series/:id/undo');
  return async function undo(
    { id, mudanca_id }: Pick<SeriesDone, 'id' | 'mudanca_id'>,
    permitir_conflito = false,
  ): Promise<boolean> {
    try {
      await mutateAsync({ id, mudanca_id, permitir_conflito });
      return true;
    } catch (error) {
      const again = () => void undo({ id, mudanca_id }, true);
      toast.error('Erro ao desfazer', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && { action: { label: 'Agendar mesmo assim', onClick: again } }),
      });
      return false;
    }
  };
}
