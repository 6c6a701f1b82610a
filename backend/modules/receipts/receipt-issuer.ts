import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** Texts are null once the trainer's encryption key is destroyed. */
export interface Issuer {
  nome: string | null;
  documento: string | null;
  cref: string | null;
  cidade: string | null;
}

export interface IssuerSet extends Issuer {
  receipt_issuer_id: string;
}

export interface ReceiptIssuerEvent {
  type: 'ReceiptIssuerSet';
  data: IssuerSet;
}

export type ReceiptIssuerState = IssuerSet | null;

/** The issuer of receipts; the stream's id is the tenant's. */
export const receiptIssuerStream: Aggregate<ReceiptIssuerState, ReceiptIssuerEvent> = {
  name: 'receipt-issuer',
  initialState: null,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'ReceiptIssuerSet':
        return data;
    }
  },
  events: {
    ReceiptIssuerSet: {
      schemaVersion: 1,
      personal: {
        person: (_data, tenantId) => tenantId,
        fields: ['nome', 'documento', 'cref', 'cidade'],
      },
    },
  },
};

export function decideSetIssuer(state: ReceiptIssuerState, wanted: IssuerSet): ReceiptIssuerEvent[] {
  const same = (['nome', 'documento', 'cref', 'cidade'] as const).every(
    (field) => state?.[field] === wanted[field],
  );
  return same ? [] : [{ type: 'ReceiptIssuerSet', data: wanted }];
}
