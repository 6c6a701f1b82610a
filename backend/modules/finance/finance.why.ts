import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { TransactionKind } from './finance.api.js';
import { methodNames } from './money-words.api.js';
import type { RecurringExpenseEvent } from './recurring-expense.js';
import type { TransactionEvent } from './transaction.js';

interface Row {
  id: string;
  /** Whose payment it is, also by its charge. */
  student_id: string | null;
  tipo: TransactionKind;
  valor: number;
  data: string;
  charge_id: string | null;
  /** The entry that it reverses or corrects. */
  antes_dele: string | null;
}

const row = statement((db, { id }: Blanks<Asked>) =>
  sql<Row>`
  select t.id, coalesce(t.student_id, c.student_id) as student_id, t.tipo, t.valor, t.data, c.charge_id,
    coalesce(t.estorno_de, t.corrige_id) as antes_dele
  from transactions t left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
  where t.id = ${id}`.compile(db),
);

type Past = PastEvent & (TransactionEvent | RecurringExpenseEvent);

export const transactionWhy: WhySource = {
  rows: row,
  explain([entry]: [Row], events: readonly PastEvent[], asker: Asker, { id }: Thing) {
    const { student_id, charge_id, antes_dele } = entry;
    const para = asker.isOwn ? undefined : `/financeiro?mes=${entry.data.slice(0, 7)}&transacao=${id}`;
    return {
      // An expense is the trainer's, whoever it is about.
      student_id: entry.tipo === 'receita' ? student_id : null,
      pergunta: questionOf(entry, asker),
      links: (events as Past[]).toReversed().flatMap((event): WhyLink[] => {
        const texto = inWords(event, entry, asker);
        if (texto === '') return [];
        const link = { titulo: titleOf(event, entry, asker), texto, posicao: event.posicao };
        return [{ ...link, ...(para && { para }) }];
      }),
      causes: [
        ...(charge_id === null ? [] : [{ kind: 'charge', id: charge_id }]),
        ...(antes_dele === null ? [] : [{ kind: 'transaction', id: antes_dele }]),
      ],
    };
  },
};

function questionOf({ tipo, valor }: Row, { isOwn }: Asker): string {
  const amount = brl(Math.abs(valor));
  if (valor < 0) return `Por que ${amount} foram estornados?`;
  if (isOwn) return `Por que paguei ${amount}?`;
  return tipo === 'receita' ? `Por que recebi ${amount}?` : `Por que gastei ${amount}?`;
}

function titleOf({ type }: Past, { tipo }: Row, { isOwn }: Asker): string {
  if (type === 'TransactionReversed') return 'Estorno';
  if (type === 'RecurringExpenseRecorded') return 'Despesa recorrente';
  return isOwn ? 'Pagamento' : tipo === 'receita' ? 'Receita' : 'Despesa';
}

/** What an entry is called, and why it was reversed, is the trainer's. */
function inWords({ type, data }: Past, { id }: Row, { isOwn }: Asker): string {
  switch (type) {
    case 'TransactionRecorded': {
      // The one that corrects it has its own explanation.
      if (data.transaction_id !== id) return '';
      const told = data.descricao && !isOwn ? `: ${data.descricao}` : '';
      return `${brl(data.valor)} em ${shortDate(data.data)} (${methodNames[data.metodo_pagamento]})${told}.`;
    }
    case 'TransactionReversed': {
      const told = data.motivo && !isOwn ? ` (${data.motivo})` : '';
      return `${data.corrigida_por === null ? 'Estornado' : 'Corrigido'}: ${brl(data.valor)} de ${shortDate(data.data)}${told}.`;
    }
    case 'RecurringExpenseRecorded':
      return `Lançada pelo Rende, referente a ${data.mes.slice(5, 7)}/${data.mes.slice(0, 4)}.`;
    // Also of what others record about it, such as its receipt.
    default:
      return '';
  }
}
