import { stateProjection } from '../../platform/projections/projection.js';
import { bankLine } from './bank-line.js';

interface BankLineRow {
  decisao: string;
  valor: number;
  data: string;
  charge_id: string | null;
  transaction_id: string | null;
}

/** The decided lines of bank statements. */
export const bankLineRows = stateProjection(bankLine, {
  name: 'bank-lines',
  topic: 'bank-lines',
  table: 'bank_lines',
  evolve(_row: BankLineRow | undefined, event) {
    const { type, data } = event;
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
