import type { Session, SessionOutcome } from '../../../../backend/modules/agenda/agenda.api.js';

// The first page has these words, so they import no schemas.

/** Neither a service without credits nor a booking with a price of its own takes one. */
export const takesCredit = ({ servico, cobranca_id }: Pick<Session, 'servico' | 'cobranca_id'>): boolean =>
  cobranca_id === undefined && (servico?.usa_credito ?? true);

/** What completing a session has cost; undefined: nothing. */
export function completedInWords(
  session: Pick<Session, 'servico' | 'cobranca_id'>,
  { usou_credito, sem_credito }: Pick<SessionOutcome, 'usou_credito' | 'sem_credito'>,
  who: string,
): string | undefined {
  if (usou_credito) return 'Descontou 1 crédito.';
  if (!sem_credito) return undefined;
  return takesCredit(session)
    ? `${who} estava sem créditos: a sessão ficou em “Sessões a cobrar”.`
    : 'A sessão ficou em “Sessões a cobrar”.';
}
