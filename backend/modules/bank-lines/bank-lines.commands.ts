import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { loadCharge } from '../charges/charges.commands.js';
import { payByHand } from '../charges/settlement.commands.js';
import { loadEntryTerms } from '../finance/finance.commands.js';
import { decideRecord, transaction } from '../finance/transaction.js';
import {
  bankLine,
  decideLine,
  decideReopen,
  decideSplit,
  type LineDecision,
  type LinePart,
} from './bank-line.js';
import type { LineEntry, LineLeft, LineSettlement, LineSplit, LineTwins } from './bank-lines.api.js';

const nobody = { charge_id: null, student_id: null, transaction_id: null };

/** Records a line and its payment of a charge together. */
export const SettleByLine = defineCommand(
  'SettleByLine',
  async (tx, lineId: string, { valor, data, charge_id, ...known }: LineSettlement) => {
    if (valor <= 0) throw new Problem('bank_lines.not_income');
    const charge = await loadCharge(tx, charge_id);
    const { student_id } = charge;
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
  async (tx, lineId: string, { valor, data, partes, ...known }: LineSplit) => {
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

export const RecordLine = defineCommand(
  'RecordLine',
  async (
    tx,
    lineId: string,
    { valor, data, descricao, metodo_pagamento, categoria, ...known }: LineEntry,
  ) => {
    const id = randomUUID();
    const tipo = valor > 0 ? ('receita' as const) : ('despesa' as const);
    const entry = { tipo, descricao, valor: Math.abs(valor), metodo_pagamento, data, categoria };
    const decision = { ...nobody, decisao: 'lancamento', valor, data, transaction_id: id } as const;
    await decide(tx, lineId, decision, known);
    tx.append(transaction, id, decideRecord(id, entry, await loadEntryTerms(tx)));
    return { id };
  },
);

export const LeaveLine = defineCommand('LeaveLine', async (tx, lineId: string, { valor, data }: LineLeft) => {
  await decide(tx, lineId, { ...nobody, decisao: 'fora', valor, data }, { mesmo_assim: true });
  return { id: lineId };
});

/** Reopens a line that was left out. */
export const ReopenLine = defineCommand('ReopenLine', async (tx, lineId: string) => {
  tx.append(bankLine, lineId, decideReopen(await tx.load(bankLine, lineId), lineId));
  return { id: lineId };
});

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
