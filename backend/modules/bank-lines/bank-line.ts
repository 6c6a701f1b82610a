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

/** What a charge gets of a line. */
export interface LinePart {
  charge_id: string;
  student_id: string;
  transaction_id: string;
  valor: number;
}

export type BankLineEvent =
  | { type: 'BankLineDecided'; data: LineDecision & { line_id: string } }
  /** It paid several charges. */
  | { type: 'BankLineSplit'; data: { line_id: string; valor: number; data: string; partes: LinePart[] } }
  /** What was left out is to be decided again. */
  | { type: 'BankLineReopened'; data: { line_id: string } };

/** Null where nothing was decided. */
export type BankLineState = LineDecision['decisao'] | 'dividida' | null;

/** A line of a bank's statement that was decided on; the stream's id follows from what the bank calls it. */
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
    // The charges named the students before.
    BankLineDecided: { schemaVersion: 1, uses: 'nothing new' },
    BankLineSplit: { schemaVersion: 1, uses: 'nothing new' },
    BankLineReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** `stands`: what it was recorded as was not taken back, so that it may not be recorded again. */
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

/** All of it goes to charges. */
export function decideSplit(
  data: Extract<BankLineEvent, { type: 'BankLineSplit' }>['data'],
): BankLineEvent[] {
  const sum = data.partes.reduce((total, { valor }) => total + valor, 0);
  if (sum !== data.valor) throw new Problem('bank_lines.parts_differ');
  return [{ type: 'BankLineSplit', data }];
}

export function decideReopen(state: BankLineState, line_id: string): BankLineEvent[] {
  if (state === null) throw new Problem('bank_lines.not_found');
  if (state !== 'fora') throw new Problem('bank_lines.decided');
  return [{ type: 'BankLineReopened', data: { line_id } }];
}
