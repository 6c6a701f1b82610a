import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

export interface LineDecision {
  /** `cobranca`: it paid a charge. `lancamento`: it was recorded as an entry. `fora`: it is none of the business's. */
  decisao: 'cobranca' | 'lancamento' | 'fora';
  /** Cents; negative where money went out. */
  valor: number;
  data: string;
  charge_id: string | null;
  student_id: string | null;
  /** What it was recorded as. */
  transaction_id: string | null;
}

export type BankLineEvent =
  | { type: 'BankLineDecided'; data: LineDecision & { line_id: string } }
  /** What was left out is to be decided again. */
  | { type: 'BankLineReopened'; data: { line_id: string } };

/** Null where nothing stands. */
export type BankLineState = Pick<LineDecision, 'decisao' | 'transaction_id'> | null;

/** A line of a bank's statement that was decided on; the stream's id follows from what the bank calls it. */
export const bankLine: Aggregate<BankLineState, BankLineEvent> = {
  name: 'bank-line',
  initialState: null,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'BankLineDecided':
        return { decisao: data.decisao, transaction_id: data.transaction_id };
      case 'BankLineReopened':
        return null;
    }
  },
  events: {
    // The charge named the student before.
    BankLineDecided: { schemaVersion: 1, uses: 'nothing new' },
    BankLineReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** `isReversed`: what it was recorded as does not stand any more, so that it may be recorded again. */
export function decideLine(
  state: BankLineState,
  isReversed: boolean,
  line_id: string,
  decision: LineDecision,
): BankLineEvent[] {
  const isOpen = state === null || state.decisao === 'fora' || isReversed;
  if (!isOpen) throw new Problem('bank_lines.decided');
  if (state?.decisao === 'fora' && decision.decisao === 'fora') return [];
  return [{ type: 'BankLineDecided', data: { line_id, ...decision } }];
}

export function decideReopen(state: BankLineState, line_id: string): BankLineEvent[] {
  if (state === null) throw new Problem('bank_lines.not_found');
  if (state.decisao !== 'fora') throw new Problem('bank_lines.decided');
  return [{ type: 'BankLineReopened', data: { line_id } }];
}
