import type {
  Session,
  SessionCancellation,
  SessionStatus,
} from '../../../../backend/modules/agenda/agenda.api.js';

/** Cancels a session as it was cancelled before, for what that cost, or not at all. `de_novo`: the status that it has since. */
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
