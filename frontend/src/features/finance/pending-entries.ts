import type { NewTransaction } from '../../../../backend/modules/finance/finance.api.js';
import type { Month } from '../../lib/dates.js';
import { monthOf } from '../../lib/dates.js';
import { formatAmount, formatMoney } from '../../lib/money.js';
import type { Waiting } from '../../lib/outbox.js';
import { pendingOver } from '../../lib/pending-over-server.js';

export const ENTRY_DRAFT = 'lancamento';

/** What an entry is called where it is spoken of later. */
export const entryTitle = ({ descricao, valor }: { descricao: string | null; valor: number }): string =>
  `O lançamento "${descricao ?? 'Sem descrição'}", ${formatMoney(valor)},`;

/** An entry that was written without a network. */
export interface PendingEntry extends NewTransaction {
  id: string;
}

/** The entries of a month that were not sent yet, newest first; those that were taken back are gone. */
export function pendingEntries(writes: readonly Waiting[], month: Month): PendingEntry[] {
  return pendingOver<PendingEntry>([], writes, {
    makes: ({ subject, effect, body }) =>
      effect === 'record' ? { ...(body as NewTransaction), id: subject } : null,
    changes: (entry, { effect }) => (effect === 'reverse' ? null : entry),
  })
    .filter(({ data }) => monthOf(data) === month)
    .toReversed();
}

/** The form of an entry that the server did not take, with what it held. */
export function editEntry({ body }: Waiting) {
  const { valor, ...values } = body as NewTransaction;
  return {
    to: '/financeiro?novo=lancamento',
    draft: ENTRY_DRAFT,
    values: { ...values, valor: formatAmount(valor) },
  };
}
