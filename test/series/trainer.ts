import type { Session, SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import type {
  SeriesAnswer,
  SeriesCancelled,
  SeriesDone,
  SeriesPreview,
  SeriesScope,
} from '../../backend/modules/series/series.api.js';
import type { Client } from '../support/client.js';

/** The requests of a trainer about series, over HTTP. */
export function seriesOf(api: Client) {
  return {
    preview: async ({ student_id: _, dias, ...wanted }: { student_id: string; dias: number[] }) => {
      const query = { ...wanted, dias: dias.join(',') };
      return (await api.get<SeriesPreview>('/series/preview', { query })).body;
    },
    start: async (wanted: object) => (await api.post<SeriesDone>('/series', wanted)).body,
    get: async (id: string) => (await api.get<SeriesAnswer>(`/series/${id}`)).body,
    change: async (sessionId: string, escopo: SeriesScope, changes: object) =>
      (await api.patch<SeriesDone>(`/sessions/${sessionId}/series`, { escopo, ...changes })).body,
    cancel: async (sessionId: string, escopo: SeriesScope, cancellation: object = { motivo: 'personal' }) =>
      (await api.post<SeriesCancelled>(`/sessions/${sessionId}/series/cancel`, { escopo, ...cancellation }))
        .body,
    remove: async (sessionId: string, escopo: SeriesScope) =>
      (await api.post<SeriesDone>(`/sessions/${sessionId}/series/delete`, { escopo })).body,
    join: async (sessionId: string, escopo: SeriesScope, ...student_ids: string[]) =>
      (await api.post<SeriesDone>(`/sessions/${sessionId}/series/students`, { escopo, student_ids })).body,
    undo: async ({ id, mudanca_id }: SeriesDone, more: object = {}) =>
      (await api.post<SeriesDone>(`/series/${id}/undo`, { mudanca_id, ...more })).body,
    /** All sessions, by start. */
    sessions: async (): Promise<Session[]> => {
      const items: Session[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await api.get<SessionPage>('/sessions', {
          query: { limit: 100, ...(cursor && { cursor }) },
        });
        items.push(...body.items);
        cursor = body.next ?? undefined;
      } while (cursor);
      return items;
    },
  };
}
