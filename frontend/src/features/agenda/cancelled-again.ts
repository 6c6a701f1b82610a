import type { Session, SessionCancellation } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SessionStatus } from '../../../../backend/modules/sessions/sessions.api.js';

/** Cancels a session again with its former cost, or refuses. `de_novo`: the status that the session has since. */
export function cancellationOf(
  {
    motivo,
    usou_credito,
    sem_credito,
    taxa,
  }: Pick<Session, 'motivo' | 'usou_credito' | 'sem_credito' | 'taxa'>,
  de_novo: SessionStatus,
): SessionCancellation {
  return {
    de_novo,
    motivo: motivo ?? 'personal',
    ...((usou_credito || sem_credito || taxa > 0) && { aplicar_politica: true }),
    previsto: { usou_credito, sem_credito, taxa },
  };
}
