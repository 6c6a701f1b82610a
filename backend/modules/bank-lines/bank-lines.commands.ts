import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { loadCharge } from '../charges/charges.commands.js';
import { pay } from '../charges/settlement.commands.js';
import { loadShares } from '../finance/finance.commands.js';
import { decideRecord, transaction } from '../finance/transaction.js';
import { bankLine, decideLine, decideReopen, type LineDecision } from './bank-line.js';
import type { LineEntry, LineLeft, LineSettlement } from './bank-lines.api.js';

const nobody = { charge_id: null, student_id: null, transaction_id: null };

/** The charge's payment and the line that it came by: both, or nothing. */
export const SettleByLine = defineCommand(
  'SettleByLine',
  async (tx, lineId: string, { valor, data, charge_id }: LineSettlement) => {
    if (valor <= 0) throw new Problem('bank_lines.not_income');
    const charge = await loadCharge(tx, charge_id);
    const { student_id } = charge;
    const paid = await pay(tx, charge, { valor, data, metodo_pagamento: 'pix' });
    const { transaction_id, ...answer } = paid;
    await decide(tx, lineId, { decisao: 'cobranca', valor, data, charge_id, student_id, transaction_id });
    return answer;
  },
);

export const RecordLine = defineCommand(
  'RecordLine',
  async (tx, lineId: string, { valor, data, descricao, metodo_pagamento, categoria }: LineEntry) => {
    const id = randomUUID();
    const tipo = valor > 0 ? ('receita' as const) : ('despesa' as const);
    const entry = { tipo, descricao, valor: Math.abs(valor), metodo_pagamento, data, categoria };
    await decide(tx, lineId, { ...nobody, decisao: 'lancamento', valor, data, transaction_id: id });
    tx.append(transaction, id, decideRecord(id, entry, await loadShares(tx)));
    return { id };
  },
);

export const LeaveLine = defineCommand('LeaveLine', async (tx, lineId: string, { valor, data }: LineLeft) => {
  await decide(tx, lineId, { ...nobody, decisao: 'fora', valor, data });
  return { id: lineId };
});

/** Takes it back that a line was left out. */
export const ReopenLine = defineCommand('ReopenLine', async (tx, lineId: string) => {
  tx.append(bankLine, lineId, decideReopen(await tx.load(bankLine, lineId), lineId));
  return { id: lineId };
});

async function decide(tx: CommandTransaction, lineId: string, decision: LineDecision): Promise<void> {
  const state = await tx.load(bankLine, lineId);
  const before = state?.transaction_id ? await tx.load(transaction, state.transaction_id) : undefined;
  const isReversed = before?.reversed === true && !before.corrected;
  tx.append(bankLine, lineId, decideLine(state, isReversed, lineId, decision));
}
