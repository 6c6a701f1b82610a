import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { loadCharge } from '../charges/charges.commands.js';
import { payByHand, reversePayment } from '../charges/settlement.commands.js';
import { chargePaidBy, loadEntryTerms, refuseUnknownStudent } from '../finance/finance.commands.js';
import { decideRecord, transaction } from '../finance/transaction.js';
import { LineIds } from './line-ids.service.js';
import {
  bankLine,
  decideLine,
  decideReopen,
  decideSplit,
  type LineDecision,
  type LinePart,
} from './bank-line.js';
import type {
  LineName,
  LineEntry,
  LineLeft,
  LineRefund,
  LineSettlement,
  LineSplit,
  LineTwins,
} from './bank-lines.api.js';

const nobody = { charge_id: null, student_id: null, transaction_id: null };

/** Records a line and its payment of a charge together. */
export const SettleByLine = defineCommand(
  'SettleByLine',
  { ids: LineIds },
  async (tx, { ids }, { chave, valor, data, charge_id, ...known }: LineSettlement) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    if (valor <= 0) throw new Problem('bank_lines.not_income');
    const charge = await loadCharge(tx, charge_id);
    const { student_id } = charge;
    // Refused before the Pix of the charge is compared: "mesmo assim" then answers one question.
    await standing(tx, lineId, { valor, data }, known);
    const payment = { valor, data, metodo_pagamento: 'pix', mesmo_assim: known.mesmo_assim } as const;
    const paid = await payByHand(tx, charge, payment);
    const { transaction_id, ...answer } = paid;
    const decision = { decisao: 'cobranca', valor, data, charge_id, student_id, transaction_id } as const;
    await decide(tx, lineId, decision, known);
    return answer;
  },
);

/** Records a line and its payments of several charges together. */
export const SplitLine = defineCommand(
  'SplitLine',
  { ids: LineIds },
  async (tx, { ids }, { chave, valor, data, partes, ...known }: LineSplit) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    if (await standing(tx, lineId, { valor, data }, known)) throw new Problem('bank_lines.decided');
    const parts: LinePart[] = [];
    const pagamentos: string[] = [];
    for (const part of partes) {
      const charge = await loadCharge(tx, part.charge_id);
      const { mesmo_assim } = known;
      const payment = { valor: part.valor, data, metodo_pagamento: 'pix', mesmo_assim } as const;
      const { transaction_id, payment_id } = await payByHand(tx, charge, payment);
      parts.push({ ...part, student_id: charge.student_id, transaction_id });
      pagamentos.push(payment_id);
    }
    await tx.load(bankLine, lineId);
    tx.append(bankLine, lineId, decideSplit({ line_id: lineId, valor, data, partes: parts }));
    return { pagamentos };
  },
);

/** The entries as which a line stands. */
const entriesOf = defineLookUp<{ transaction_id: string }, [line: string]>(
  'select transaction_id from bank_line_entries where tenant_id = $1 and line_id = $2 order by transaction_id',
);

/** Undoes all payments of charges that a line recorded, together. */
export const UndoPayments = defineCommand(
  'UndoPayments',
  { ids: LineIds },
  async (tx, { ids }, { chave }: LineName) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    const entries = await tx.lookUp(entriesOf, lineId);
    let undone = 0;
    for (const { transaction_id } of entries) {
      const charge_id = await chargePaidBy(tx, transaction_id);
      const payment =
        charge_id !== null &&
        (await loadCharge(tx, charge_id)).pagamentos.find((one) => one.transaction_id === transaction_id);
      if (!payment) continue;
      await reversePayment(tx, charge_id, payment.payment_id);
      undone += 1;
    }
    if (undone === 0) throw new Problem('charges.payment_not_found');
    return { id: lineId };
  },
);

export const RecordLine = defineCommand(
  'RecordLine',
  { ids: LineIds },
  async (tx, { ids }, { chave, student_id: of = null, ...line }: LineEntry) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    const { valor, data, descricao, metodo_pagamento, categoria, ...known } = line;
    const id = randomUUID();
    const tipo = valor > 0 ? ('receita' as const) : ('despesa' as const);
    const student_id = valor > 0 ? of : null;
    await refuseUnknownStudent(tx, { student_id });
    const entry = { tipo, descricao, valor: Math.abs(valor), metodo_pagamento, data, categoria, student_id };
    const decision = {
      ...nobody,
      decisao: 'lancamento',
      valor,
      data,
      student_id,
      transaction_id: id,
    } as const;
    await decide(tx, lineId, decision, known);
    tx.append(transaction, id, decideRecord(id, entry, await loadEntryTerms(tx)));
    return { id };
  },
);

/** Takes a line for a refund, which was recorded before and is not recorded again. */
export const RefundByLine = defineCommand(
  'RefundByLine',
  { ids: LineIds },
  async (tx, { ids }, { chave, valor, data, transaction_id, ...known }: LineRefund) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    const refund = await refundOf(tx, transaction_id);
    if (refund.valor !== -valor) throw new Problem('bank_lines.not_refund');
    const { charge_id, student_id, estorno_id } = refund;
    const decision = { decisao: 'devolucao', valor, data, charge_id, student_id } as const;
    await decide(tx, lineId, { ...decision, transaction_id: estorno_id }, known);
    return { id: lineId };
  },
);

/** The refund of a receita: of the payment of a charge as it was recorded there, of another one its reversal. */
async function refundOf(tx: CommandTransaction, transactionId: string) {
  const [receita, charge_id] = await Promise.all([
    tx.load(transaction, transactionId),
    chargePaidBy(tx, transactionId),
  ]);
  if (charge_id !== null) {
    const { devolucoes, student_id } = await loadCharge(tx, charge_id);
    const refund = devolucoes.find(({ transaction_id }) => transaction_id === transactionId);
    if (refund) return { ...refund, charge_id, student_id };
  } else if (receita?.tipo === 'receita' && receita.estorno_id !== null && receita.corrigida_por === null) {
    const { estorno_id, valor, student_id } = receita;
    return { estorno_id, valor, charge_id: null, student_id };
  }
  throw new Problem('bank_lines.not_refund');
}

export const LeaveLine = defineCommand(
  'LeaveLine',
  { ids: LineIds },
  async (tx, { ids }, { chave, valor, data }: LineLeft) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    await decide(tx, lineId, { ...nobody, decisao: 'fora', valor, data }, { mesmo_assim: true });
    return { id: lineId };
  },
);

/** Reopens a line that was left out, or taken for a refund. */
export const ReopenLine = defineCommand(
  'ReopenLine',
  { ids: LineIds },
  async (tx, { ids }, { chave }: LineName) => {
    const lineId = ids.idOf(tx.context.tenantId, chave);
    tx.append(bankLine, lineId, decideReopen(await tx.load(bankLine, lineId), lineId));
    return { id: lineId };
  },
);

/** Recorded lines: this one, and others with its day and amount. */
const standingLines = defineLookUp<{ line_id: string }, [line: string, data: string, valor: number]>(
  `select distinct line_id from bank_line_entries
   where tenant_id = $1 and (line_id = $2 or (data = $3::date and valor = $4::bigint))`,
);

/**
 * Whether the line is already recorded. The same line may come twice, since in two files of a bank only its day and amount may be
 * equal. So at most as many lines of a day and amount are recorded as the statement has (`iguais`), unless more are requested
 * explicitly.
 */
async function standing(
  tx: CommandTransaction,
  lineId: string,
  { data, valor }: Pick<LineDecision, 'data' | 'valor'>,
  { iguais = 1, mesmo_assim = false }: LineTwins,
): Promise<boolean> {
  const lines = await tx.lookUp(standingLines, lineId, data, valor);
  const others = lines.filter(({ line_id }) => line_id !== lineId).length;
  const stands = others < lines.length;
  if (!stands && others >= iguais && !mesmo_assim) throw new Problem('bank_lines.alike');
  return stands;
}

async function decide(
  tx: CommandTransaction,
  lineId: string,
  decision: LineDecision,
  known: LineTwins,
): Promise<void> {
  const state = await tx.load(bankLine, lineId);
  const stands = await standing(tx, lineId, decision, known);
  tx.append(bankLine, lineId, decideLine(state, stands, lineId, decision));
}
