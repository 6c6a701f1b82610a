import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

export interface LineDecision {
  /**
   * `cobranca`: the line paid a charge. `lancamento`: it was recorded as an entry. `devolucao`: it is a refund that was recorded.
   * `fora`: it does not concern the business.
   */
  decisao: 'cobranca' | 'lancamento' | 'devolucao' | 'fora';
  /** Cents; negative for outgoing money. */
  valor: number;
  data: string;
  charge_id: string | null;
  student_id: string | null;
  /** The entry as which the line was recorded; of a refund, the reversing one. */
  transaction_id: string | null;
}

/** The part of a line that pays a charge. */
export interface LinePart {
  charge_id: string;
  student_id: string;
  transaction_id: string;
  valor: number;
}

export type BankLineEvent =
  | { type: 'BankLineDecided'; data: LineDecision & { line_id: string } }
  /** The line paid several charges. */
  | { type: 'BankLineSplit'; data: { line_id: string; valor: number; data: string; partes: LinePart[] } }
  /** A line that was left out, or taken for a refund, is open again. */
  | { type: 'BankLineReopened'; data: { line_id: string } };

/** Null if nothing was decided. */
export type BankLineState = LineDecision['decisao'] | 'dividida' | null;

/** A decided line of a bank statement; the stream's id is derived from the line's key. */
export const bankLine: Aggregate<BankLineState, BankLineEvent> = {
  name: 'bank-line',
  initialState: null,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'BankLineDecided':
        return data.decisao;
      case 'BankLineSplit':
        return 'dividida';
      case 'BankLineReopened':
        return null;
    }
  },
  events: {
    // The charges and entries already refer to the students.
    BankLineDecided: { schemaVersion: 1, uses: 'nothing new' },
    BankLineSplit: { schemaVersion: 1, uses: 'nothing new' },
    BankLineReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** `stands`: the recorded entry was not reversed, so the line may not be recorded again. */
export function decideLine(
  state: BankLineState,
  stands: boolean,
  line_id: string,
  decision: LineDecision,
): BankLineEvent[] {
  if (stands) throw new Problem('bank_lines.decided');
  if (state === 'fora' && decision.decisao === 'fora') return [];
  return [{ type: 'BankLineDecided', data: { line_id, ...decision } }];
}

/** Splits the whole amount of a line over charges. */
export function decideSplit(
  data: Extract<BankLineEvent, { type: 'BankLineSplit' }>['data'],
): BankLineEvent[] {
  const sum = data.partes.reduce((total, { valor }) => total + valor, 0);
  if (sum !== data.valor) throw new Problem('bank_lines.parts_differ');
  return [{ type: 'BankLineSplit', data }];
}

export function decideReopen(state: BankLineState, line_id: string): BankLineEvent[] {
  if (state === null) throw new Problem('bank_lines.not_found');
  if (state !== 'fora' && state !== 'devolucao') throw new Problem('bank_lines.decided');
  return [{ type: 'BankLineReopened', data: { line_id } }];
}
