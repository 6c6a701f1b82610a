import { stateProjection } from '../../platform/projections/projection.js';
import { deliveredMonth } from './delivered-month.js';

interface Delivery {
  em: string;
  position: number;
  mudou: boolean;
}

interface DeliveredMonthRow extends Delivery {
  mes: string;
  antes: Delivery[];
}

export const deliveredMonths = stateProjection(deliveredMonth, {
  name: 'delivered-months',
  topic: 'delivered-months',
  table: 'delivered_months',
  evolve(row: DeliveredMonthRow | undefined, { type, data, position, recordedAt }) {
    switch (type) {
      case 'MonthDelivered': {
        const antes = row ? [...row.antes, { em: row.em, position: row.position, mudou: row.mudou }] : [];
        return { mes: data.mes, em: recordedAt.toISOString(), position, mudou: false, antes };
      }
      case 'MonthDeliveryUndone': {
        const before = row?.antes.at(-1);
        return row && before ? { mes: row.mes, ...before, antes: row.antes.slice(0, -1) } : null;
      }
      case 'DeliveredMonthChanged':
        return row ? { ...row, mudou: true } : null;
    }
  },
});
