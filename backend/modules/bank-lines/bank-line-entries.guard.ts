import type { Guard, Statement } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { ChargeEvent } from '../charges/charge.js';
import type { TransactionEvent } from '../finance/transaction.js';
import type { BankLineEvent } from './bank-line.js';

type Handled =
  | BankLineEvent
  | Extract<TransactionEvent, { type: 'TransactionReversed' }>
  | Extract<ChargeEvent, { type: 'ChargePaymentReversed' }>;

/**
 * The entries as which bank lines were recorded. If an entry is corrected or partly refunded, the line belongs to its
 * replacement; if it is refunded completely, the line stays recorded, because the money did come in. A line of a refund belongs to
 * the reversing entry.
 */
export const bankLineEntries: Guard = {
  name: 'bank-line-entries',
  tables: ['bank_line_entries'],
  events: [
    'BankLineDecided',
    'BankLineSplit',
    'BankLineReopened',
    'TransactionReversed',
    'ChargePaymentReversed',
  ] satisfies Handled['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as Handled;
    const forget = (transactionId: string, more = ''): Statement => ({
      text: `delete from bank_line_entries where tenant_id = $1 and transaction_id = $2 ${more}`,
      values: [tenantId, transactionId],
    });
    const stand = (
      transactionId: string,
      line: { line_id: string; data: string; valor: number },
      paysCharge: boolean,
    ): Statement => ({
      text: `insert into bank_line_entries (tenant_id, transaction_id, line_id, data, valor, cobranca)
        values ($1, $2, $3, $4, $5, $6)`,
      values: [tenantId, transactionId, line.line_id, line.data, line.valor, paysCharge],
    });
    switch (type) {
      case 'BankLineDecided':
        return data.transaction_id === null
          ? []
          : [stand(data.transaction_id, data, data.decisao !== 'lancamento')];
      case 'BankLineSplit':
        return data.partes.map(({ transaction_id }) => stand(transaction_id, data, true));
      case 'BankLineReopened':
        return [
          {
            text: 'delete from bank_line_entries where tenant_id = $1 and line_id = $2',
            values: [tenantId, data.line_id],
          },
        ];
      case 'TransactionReversed': {
        const { transaction_id, corrigida_por } = data;
        if (corrigida_por === null) return [forget(transaction_id, 'and not cobranca')];
        return [
          {
            text: `insert into bank_line_entries (tenant_id, transaction_id, line_id, data, valor, cobranca)
              select tenant_id, $3, line_id, data, valor, cobranca from bank_line_entries
              where tenant_id = $1 and transaction_id = $2`,
            values: [tenantId, transaction_id, corrigida_por],
          },
          forget(transaction_id),
        ];
      }
      case 'ChargePaymentReversed':
        return [forget(data.transaction_id)];
    }
  },
  violations: { bank_line_entries_pkey: () => new Problem('bank_lines.refund_taken') },
};
