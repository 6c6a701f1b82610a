import { rowProjection, studentIfAny } from '../../platform/projections/projection.js';
import type { Allocation } from './allocation.js';
import type { TransactionEvent } from './transaction.js';

interface TransactionRow {
  tipo: string;
  descricao: string | null;
  /** Cents, negative in a reversal. */
  valor: number;
  alocacoes: Allocation[];
  metodo_pagamento: string;
  data: string;
  estorno_de: string | null;
  estornada_por: string | null;
  registrada_em: string;
  student_id: string | null;
  categoria: string | null;
  motivo: string | null;
  corrige_id: string | null;
  corrigida_por: string | null;
}

/** Transactions and their reversals, each as a row of its own. */
export const transactions = rowProjection<TransactionRow, TransactionEvent>({
  name: 'transactions',
  version: 2,
  topic: 'transactions',
  table: 'transactions',
  students: studentIfAny,
  events: ['TransactionRecorded', 'TransactionReversed', 'TransactionReassigned'],
  keys: ({ type, data }) => {
    switch (type) {
      case 'TransactionRecorded':
        return [data.transaction_id];
      case 'TransactionReversed':
        return [data.transaction_id, data.estorno_id];
      case 'TransactionReassigned':
        return [data.transaction_id, ...(data.estorno_id === null ? [] : [data.estorno_id])];
    }
  },
  evolve(row, { type, data, recordedAt }, id) {
    if (type === 'TransactionReassigned') return row ? { ...row, student_id: data.student_id } : null;
    if (row) {
      if (type !== 'TransactionReversed') return row;
      return { ...row, estornada_por: data.estorno_id, corrigida_por: data.corrigida_por };
    }
    const { transaction_id, tipo, descricao, metodo_pagamento, student_id, categoria } = data;
    const reversal = id !== transaction_id;
    const signed = (valor: number) => (reversal ? -valor : valor);
    return {
      tipo,
      descricao,
      valor: signed(data.valor),
      alocacoes: data.alocacoes.map((part) => ({ ...part, valor: signed(part.valor) })),
      metodo_pagamento,
      data: data.data,
      estorno_de: reversal ? transaction_id : null,
      estornada_por: null,
      registrada_em: recordedAt.toISOString(),
      student_id,
      categoria,
      motivo: type === 'TransactionReversed' ? data.motivo : null,
      corrige_id: type === 'TransactionRecorded' ? data.corrige_id : null,
      corrigida_por: null,
    };
  },
});
