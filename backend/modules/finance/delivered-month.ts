import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

interface About {
  delivery_id: string;
  /** First day of the month. */
  mes: string;
}

export type DeliveredMonthEvent =
  | { type: 'MonthDelivered'; data: About }
  /** The last delivery of the month was taken back: the one before it counts again. */
  | { type: 'MonthDeliveryUndone'; data: About }
  /** The first entry of the month that was recorded after its last delivery. */
  | { type: 'DeliveredMonthChanged'; data: About & { transaction_id: string } };

/** Whether each delivery of the month was followed by an entry, the last one at the end. */
export type DeliveredMonthState = readonly { mudou: boolean }[];

/** A month that the trainer hands to the accountant, also again after it changed. */
export const deliveredMonth: Aggregate<DeliveredMonthState, DeliveredMonthEvent> = {
  name: 'delivered-month',
  initialState: [],
  evolve(state, { type }) {
    switch (type) {
      case 'MonthDelivered':
        return [...state, { mudou: false }];
      case 'MonthDeliveryUndone':
        return state.slice(0, -1);
      case 'DeliveredMonthChanged':
        return [...state.slice(0, -1), { mudou: true }];
    }
  },
  events: {
    MonthDelivered: { schemaVersion: 1 },
    MonthDeliveryUndone: { schemaVersion: 1 },
    DeliveredMonthChanged: { schemaVersion: 1 },
  },
};

/** @throws Problem 422 for a month that has not begun */
export function decideDeliver(about: About, today: string): DeliveredMonthEvent[] {
  if (about.mes > today) throw new Problem('finance.month_to_come');
  return [{ type: 'MonthDelivered', data: about }];
}

export function decideUndoDelivery(state: DeliveredMonthState, about: About): DeliveredMonthEvent[] {
  if (state.length === 0) throw new Problem('finance.month_not_delivered');
  return [{ type: 'MonthDeliveryUndone', data: about }];
}

/** Only the first entry after a delivery is noted. */
export function decideNoteChange(
  state: DeliveredMonthState,
  about: About,
  transaction_id: string,
): DeliveredMonthEvent[] {
  if (state.at(-1)?.mudou !== false) return [];
  return [{ type: 'DeliveredMonthChanged', data: { ...about, transaction_id } }];
}
