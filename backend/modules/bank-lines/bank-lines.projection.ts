import { rowProjection } from '../../platform/projections/projection.js';
import type { BankLineEvent } from './bank-line.js';

interface BankLineRow {
  decisao: string;
  valor: number;
  data: string;
  charge_id: string | null;
  transaction_id: string | null;
}

/** The decided lines of bank statements. */
export const bankLineRows = rowProjection<BankLineRow>({
  name: 'bank-lines',
  topic: 'bank-lines',
  table: 'bank_lines',
  events: ['BankLineDecided', 'BankLineSplit', 'BankLineReopened'] satisfies BankLineEvent['type'][],
  keys: ({ data }) => [data.line_id as string],
  evolve(_row, event) {
    const { type, data } = event as unknown as BankLineEvent;
    switch (type) {
      case 'BankLineDecided': {
        const { decisao, valor, data: day, charge_id, transaction_id } = data;
        return { decisao, valor, data: day, charge_id, transaction_id };
      }
      case 'BankLineSplit': {
        const { valor, data: day } = data;
        return { decisao: 'dividida', valor, data: day, charge_id: null, transaction_id: null };
      }
      case 'BankLineReopened':
        return null;
    }
  },
});
