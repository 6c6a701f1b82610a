import type { Session, SessionCancellation } from '../../../../backend/modules/agenda/agenda.api.js';

/** Cancels a session as it was cancelled before, for what that cost, or not at all. */
export function cancellationOf({
  motivo,
  usou_credito,
  sem_credito,
  taxa,
}: Pick<Session, 'motivo' | 'usou_credito' | 'sem_credito' | 'taxa'>): SessionCancellation {
  return {
    motivo: motivo ?? 'personal',
    ...((usou_credito || sem_credito || taxa > 0) && { aplicar_politica: true }),
    previsto: { usou_credito, sem_credito, taxa },
  };
}
