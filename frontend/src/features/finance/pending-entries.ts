import type { NewTransaction } from '../../../../backend/modules/finance/finance.api.js';
import type { Month } from '../../lib/dates.js';
import { monthOf } from '../../lib/dates.js';
import { formatAmount, formatMoney } from '../../lib/money.js';
import type { Waiting } from '../../lib/outbox.js';
import { pendingOver } from '../../lib/pending-over-server.js';

export const ENTRY_DRAFT = 'lancamento';

/** An entry's title for messages. */
export const entryTitle = ({ descricao, valor }: { descricao: string | null; valor: number }): string =>
  `O lançamento “${descricao ?? 'Sem descrição'}”, ${formatMoney(valor)},`;

/** An entry in the outbox. */
export interface PendingEntry extends NewTransaction {
  id: string;
}

/** The entries of a month in the outbox, newest first, without undone ones. */
export function pendingEntries(writes: readonly Waiting[], month: Month): PendingEntry[] {
  return pendingOver<PendingEntry>([], writes, {
    makes: ({ subject, effect, body }) =>
      effect === 'record' ? { ...(body as NewTransaction), id: subject } : null,
    changes: (entry, { effect }) => (effect === 'reverse' ? null : entry),
  })
    .filter(({ data }) => monthOf(data) === month)
    .toReversed();
}

/** Form values of an entry that the server refused. */
export function editEntry({ body }: Waiting) {
  const { valor, ...values } = body as NewTransaction;
  return {
    to: '/financeiro?novo=lancamento',
    draft: ENTRY_DRAFT,
    values: { ...values, valor: formatAmount(valor) },
  };
}
