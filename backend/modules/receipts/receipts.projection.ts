import { rowProjection, studentIfAny } from '../../platform/projections/projection.js';
import type { ReceiptEvent } from './receipt.js';
import type { ReceiptIssuerEvent } from './receipt-issuer.js';

interface ReceiptRow {
  student_id: string | null;
  numero: number;
  valor: number;
  data: string;
  metodo_pagamento: string;
  nome: string | null;
  cpf: string | null;
  descricao: string | null;
  de: string;
  ate: string;
  prestador: object;
  guardar_ate: string;
  emitido_em: string;
  enviado_em: string | null;
}

/** Receipts, under the receita's id. */
export const receipts = rowProjection<ReceiptRow>({
  name: 'receipts',
  topic: 'receipts',
  table: 'receipts',
  students: studentIfAny,
  events: ['ReceiptIssued', 'ReceiptSent'] satisfies ReceiptEvent['type'][],
  keys: ({ data }) => [data.transaction_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as ReceiptEvent;
    const at = event.recordedAt.toISOString();
    switch (type) {
      case 'ReceiptIssued': {
        const { transaction_id: _id, token_hash: _token, codigo_hash: _code, ...fields } = data;
        return { ...fields, emitido_em: at, enviado_em: null };
      }
      case 'ReceiptSent':
        return row ? { ...row, enviado_em: at } : null;
    }
  },
});

interface IssuerRow {
  nome: string | null;
  documento: string | null;
  cref: string | null;
  cidade: string | null;
}

export const receiptIssuers = rowProjection<IssuerRow>({
  name: 'receipt-issuers',
  topic: 'receipts',
  table: 'receipt_issuers',
  events: ['ReceiptIssuerSet'] satisfies ReceiptIssuerEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(_row, event) {
    const { type, data } = event as unknown as ReceiptIssuerEvent;
    switch (type) {
      case 'ReceiptIssuerSet': {
        const { receipt_issuer_id: _id, ...fields } = data;
        return fields;
      }
    }
  },
});
