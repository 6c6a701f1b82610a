import type {
  Session,
  SessionChanges,
  SessionOutcome,
} from '../../../../backend/modules/agenda/agenda.api.js';
import type { SessionStatus } from '../../../../backend/modules/sessions/sessions.api.js';
import { costInWords } from '../../../../backend/modules/agenda/cancellation.api.js';
import { formatMoney } from '../../lib/money.js';
import { cancellationOf } from './cancelled-again.js';
import { completedInWords, takesCredit } from './credit-words.js';

type Before = Pick<Session, 'status' | 'usou_credito' | 'servico' | 'cobranca_id'>;

/** No cost, because a status that is chosen in a form applies no policy. */
const FREE = { usou_credito: false, sem_credito: false, taxa: 0 };

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** The effect of another status on the student's credits, shown before saving; null for the same status. */
export function announcedChange(before: Before, chosen: SessionStatus): string | null {
  const { status, usou_credito } = before;
  if (chosen === status) return null;
  if (chosen === 'cancelada')
    return `Você cancela: ${costInWords(FREE, usou_credito, 'announced', formatMoney)}. Para cobrar o que a política prevê, use “Cancelar”.`;
  if (chosen === 'agendada') return usou_credito ? 'Devolve 1 crédito.' : 'Não muda os créditos.';
  if (usou_credito) return 'Não muda os créditos: esta sessão já descontou 1.';
  return !takesCredit(before)
    ? 'Não muda os créditos. O que não foi cobrado fica em “Sessões a cobrar”.'
    : 'Desconta 1 crédito. Se o aluno estiver sem créditos, a sessão fica em “Sessões a cobrar”.';
}

/** Whether money is owed for a session, so that it may have been charged. */
export const isOwed = ({ sem_credito, taxa }: Pick<Session, 'sem_credito' | 'taxa'>): boolean =>
  sem_credito || taxa > 0;

/** The effect after saving; undefined if only the status changed. */
export function doneChange(before: Before, now: SessionOutcome): string | undefined {
  if (now.status === before.status) return undefined;
  if (now.status === 'cancelada') return sentence(costInWords(now, before.usou_credito, 'done', formatMoney));
  if (now.status === 'agendada') return before.usou_credito ? 'Devolveu 1 crédito.' : undefined;
  return before.usou_credito ? undefined : completedInWords(before, now, 'O aluno');
}

/** The changes that undo an edit, unless a newer change replaced it: a session that was cancelled is so again, with its former cost. */
export function formerOf(
  session: Session,
  { status, permitir_conflito: _, ...changes }: SessionChanges,
): SessionChanges {
  const isUncancelled = status !== undefined && session.status === 'cancelada';
  const wanted: SessionChanges = { ...changes, ...(!isUncancelled && status && { status }) };
  const fields = Object.entries(session).filter(([name]) => name in wanted);
  const se_ainda = { ...changes, ...(status && { status }) };
  return {
    ...Object.fromEntries(fields),
    se_ainda,
    ...(isUncancelled && { cancelamento: cancellationOf(session, status) }),
  };
}
