import type { Guard, GuardedEvent, Statement } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { CreditEvent, LotShare } from './credit-account.js';

/** Remaining credits of each lot, with a check constraint against a negative balance. */
export const creditLots: Guard = {
  name: 'credit-lots',
  tables: ['credit_lots'],
  events: [
    'CreditsGranted',
    'CreditsOpened',
    'CreditConsumed',
    'CreditReturned',
    'CreditsAdjusted',
    'MakeUpGranted',
    'MakeUpTakenBack',
    'CreditsSent',
    'CreditsReceived',
    'CreditsTakenOver',
  ] satisfies CreditEvent['type'][],
  statements(event) {
    const { type, data } = event as unknown as CreditEvent;
    switch (type) {
      case 'CreditsGranted':
      case 'CreditsOpened':
        return [opened(event, data)];
      case 'CreditConsumed':
        return [moved(event, { lot_id: data.lot_id, quantidade: -1 })];
      case 'CreditReturned':
        return [moved(event, { lot_id: data.lot_id, quantidade: 1 })];
      case 'CreditsAdjusted':
        return data.lotes.map((share) => (share.quantidade > 0 ? opened : moved)(event, share));
      case 'MakeUpGranted':
        return [
          moved(event, { lot_id: data.origem, quantidade: -1 }),
          opened(event, { lot_id: data.lot_id, quantidade: 1 }),
        ];
      case 'MakeUpTakenBack':
        return [
          moved(event, { lot_id: data.lot_id, quantidade: -1 }),
          moved(event, { lot_id: data.origem, quantidade: 1 }),
        ];
      case 'CreditsSent':
        return data.lotes.map((share) => moved(event, share));
      case 'CreditsReceived':
        return data.lotes.map((share) => (data.desfaz === null ? opened : moved)(event, share));
      case 'CreditsTakenOver':
        return [
          {
            text: 'update credit_lots set student_id = $2 where tenant_id = $1 and lot_id = any($3::uuid[])',
            values: [event.tenantId, data.student_id, data.todos],
          },
        ];
      case 'GrantWaived':
      case 'CreditsHandedOver':
      case 'CreditsExtended':
        return [];
    }
  },
  violations: { credit_lots_never_negative: () => new Problem('credits.none_available') },
};

function opened({ tenantId, data }: GuardedEvent, { lot_id, quantidade }: LotShare): Statement {
  return {
    text: 'insert into credit_lots (tenant_id, lot_id, student_id, remaining) values ($1, $2, $3, $4)',
    values: [tenantId, lot_id, data.student_id, quantidade],
  };
}

function moved({ tenantId }: GuardedEvent, { lot_id, quantidade }: LotShare): Statement {
  return {
    text: 'update credit_lots set remaining = remaining + $3 where tenant_id = $1 and lot_id = $2',
    values: [tenantId, lot_id, quantidade],
  };
}
