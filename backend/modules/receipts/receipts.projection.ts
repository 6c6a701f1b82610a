import { stateProjection, studentIfAny } from '../../platform/projections/projection.js';
import { receiptIssuerStream } from './receipt-issuer.js';
import { receipt } from './receipt.js';

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
export const receipts = stateProjection(receipt, {
  name: 'receipts',
  topic: 'receipts',
  table: 'receipts',
  students: studentIfAny,
  evolve(row: ReceiptRow | undefined, event) {
    const { type, data } = event;
    const at = event.recordedAt.toISOString();
    switch (type) {
      case 'ReceiptIssued': {
        const { transaction_id: _id, token_hash: _token, codigo_hash: _code, ...fields } = data;
        return { ...fields, emitido_em: at, enviado_em: null };
      }
      case 'ReceiptSent':
        return row ? { ...row, enviado_em: at } : null;
      case 'ReceiptReassigned':
        return row ? { ...row, student_id: data.student_id } : null;
    }
  },
});

interface IssuerRow {
  nome: string | null;
  documento: string | null;
  cref: string | null;
  cidade: string | null;
}

export const receiptIssuers = stateProjection(receiptIssuerStream, {
  name: 'receipt-issuers',
  topic: 'receipts',
  table: 'receipt_issuers',
  evolve(_row: IssuerRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'ReceiptIssuerSet': {
        const { receipt_issuer_id: _id, ...fields } = data;
        return fields;
      }
    }
  },
});
