import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import type { TransactionState } from '../finance/transaction.js';
import type { ReceiptChannel } from './receipts.api.js';
import type { Reassigned } from '../students/reassigned.js';
import type { Issuer } from './receipt-issuer.js';

/** A receita of a receipt of several. */
export interface ReceiptPart {
  transaction_id: string;
  student_id: string;
  /** The student's name, which goes with the student: the law keeps who paid. */
  aluno: string | null;
  descricao: string | null;
  valor: number;
}

/** An issued receipt, which never changes. Texts are null once their encryption key is destroyed. */
export interface IssuedReceipt {
  /** The receita, which has one receipt at most; of several receitas, the payment that they are parts of (`bill-payment`). */
  transaction_id: string;
  /** Of several receitas, what each is; empty for one receita. */
  partes: ReceiptPart[];
  /** Null for several. */
  student_id: string | null;
  /** Whose name it has, where that is the student's payer. */
  payer_id: string | null;
  /** Consecutive number, from 1 on. */
  numero: number;
  valor: number;
  data: string;
  metodo_pagamento: PaymentMethod;
  /** Who paid. */
  nome: string | null;
  cpf: string | null;
  descricao: string | null;
  de: string;
  ate: string;
  /** The trainer. */
  prestador: Issuer;
  token_hash: string;
  codigo_hash: string;
  /** Last day of the retention. */
  guardar_ate: string;
}

export type ReceiptEvent =
  | { type: 'ReceiptIssued'; data: IssuedReceipt }
  | {
      type: 'ReceiptSent';
      data: { transaction_id: string; student_id: string | null; payer_id?: string; canal: ReceiptChannel };
    }
  /** What the receipt says of the payer stays. */
  | { type: 'ReceiptReassigned'; data: Reassigned & { transaction_id: string } };

/** Null before it is issued. */
export type ReceiptState = IssuedReceipt | null;

export const receipt: Aggregate<ReceiptState, ReceiptEvent> = {
  name: 'receipt',
  initialState: null,
  evolve(state, { type, data }) {
    switch (type) {
      case 'ReceiptIssued':
        return data;
      case 'ReceiptSent':
        return state;
      case 'ReceiptReassigned':
        return state && { ...state, student_id: data.student_id };
    }
  },
  events: {
    ReceiptIssued: {
      schemaVersion: 3,
      upcasters: {
        // It had no payer but the student.
        1: (data: object) => ({ ...data, payer_id: null }),
        // It was of one receita.
        2: (data: object) => ({ ...data, partes: [] }),
      },
      uses: ({ student_id }) => ({ student: student_id }),
      personal: [
        {
          person: ({ payer_id, student_id }, tenantId) => payer_id ?? student_id ?? tenantId,
          fields: ['nome', 'cpf'],
          retention: {
            name: 'receipts',
            what: 'Recibos emitidos',
            why: 'podem ser exigidos pela Receita Federal por cinco anos (CTN, art. 173)',
            until: ({ guardar_ate }) => guardar_ate,
          },
        },
        {
          person: ({ partes }, _tenantId, [part]) => partes[part!]!.student_id,
          fields: ['partes[].aluno', 'partes[].descricao'],
          since: 3,
        },
        {
          person: (_data, tenantId) => tenantId,
          fields: [
            'descricao',
            'prestador.nome',
            'prestador.documento',
            'prestador.cref',
            'prestador.cidade',
          ],
        },
      ],
    },
    ReceiptSent: { schemaVersion: 1, uses: 'nothing new' },
    ReceiptReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
  },
};

/** Years of retention, from the end of the payment's year on, including one for the tax declaration. */
const YEARS_KEPT = 6;

const keptUntil = (data: string): string => `${Number(data.slice(0, 4)) + YEARS_KEPT}-12-31`;

type Wanted = Omit<IssuedReceipt, 'transaction_id' | 'valor' | 'data' | 'metodo_pagamento' | 'guardar_ate'>;

/** At most one receipt for each receita, and none for a reversed one. `bill`: several receitas that were paid at once. */
export function decideIssue(
  state: ReceiptState,
  entry: TransactionState,
  wanted: Wanted,
  bill?: { id: string; valor: number },
): ReceiptEvent[] {
  if (!entry) throw new Problem('finance.transaction_not_found');
  if (state) throw new Problem('receipts.already_issued', { detail: `É o recibo nº ${state.numero}.` });
  const { tipo, data, metodo_pagamento, estorno_id } = entry;
  if (tipo !== 'receita') throw new Problem('receipts.not_a_receita');
  if (estorno_id !== null) throw new Problem('receipts.reversed');
  const { id: transaction_id, valor } = bill ?? { id: entry.transaction_id, valor: entry.valor };
  const guardar_ate = keptUntil(data);
  return [
    {
      type: 'ReceiptIssued',
      data: { transaction_id, valor, data, metodo_pagamento, guardar_ate, ...wanted },
    },
  ];
}

export function decideSend(state: ReceiptState, canal: ReceiptChannel): ReceiptEvent[] {
  if (!state) throw new Problem('receipts.not_found');
  const { transaction_id, student_id, payer_id } = state;
  const about = { transaction_id, student_id, ...(payer_id !== null && { payer_id }) };
  return [{ type: 'ReceiptSent', data: { ...about, canal } }];
}
