import type { Guard } from '../../platform/event-store/guard.js';
import type { ReceiptEvent } from './receipt.js';

type Issued = Extract<ReceiptEvent, { type: 'ReceiptIssued' }>;

/** Numbers of receipts, and receipts by the hashes of their link and code. */
export const receiptNumbers: Guard = {
  name: 'receipt-numbers',
  tables: ['receipt_numbers'],
  events: ['ReceiptIssued'] satisfies Issued['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as Issued;
    switch (type) {
      case 'ReceiptIssued':
        return [
          {
            text: `insert into receipt_numbers (tenant_id, numero, transaction_id, token_hash, codigo_hash)
              values ($1, $2, $3, decode($4, 'hex'), decode($5, 'hex'))`,
            values: [tenantId, data.numero, data.transaction_id, data.token_hash, data.codigo_hash],
          },
        ];
    }
  },
  violations: {},
};
