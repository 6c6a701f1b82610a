import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Guard, GuardedEvent, Statement } from '../../platform/event-store/guard.js';
import type { CreditEvent } from '../credits/credit-account.js';
import type { StudentEvent } from '../students/student.js';

type LinkingEvent = Extract<
  StudentEvent['type'] | CreditEvent['type'],
  'StudentRegistered' | 'StudentUpdated' | 'StudentRemoved' | 'StudentRestored' | 'CreditsGranted'
>;

/** Who holds a plan: the students who have it now, and the credit accounts that ever got credits from it. */
export const planLinks: Guard = {
  name: 'plan-links',
  tables: ['plan_links'],
  events: [
    'StudentRegistered',
    'StudentUpdated',
    'StudentRemoved',
    'StudentRestored',
    'CreditsGranted',
  ] satisfies LinkingEvent[],
  statements(event) {
    switch (event.type as LinkingEvent) {
      case 'StudentRegistered':
      case 'CreditsGranted':
        return held(event);
      case 'StudentUpdated':
        return event.data.plano_id === undefined ? [] : [released(event), ...held(event)];
      case 'StudentRemoved':
      case 'StudentRestored':
        return [released(event), ...held(event)];
    }
  },
  violations: {},
};

function held({ tenantId, streamId, data }: GuardedEvent): Statement[] {
  if (typeof data.plano_id !== 'string') return [];
  return [
    {
      text: 'insert into plan_links (tenant_id, plan_id, holder) values ($1, $2, $3) on conflict do nothing',
      values: [tenantId, data.plano_id, streamId],
    },
  ];
}

function released({ tenantId, streamId }: GuardedEvent): Statement {
  return {
    text: 'delete from plan_links where tenant_id = $1 and holder = $2',
    values: [tenantId, streamId],
  };
}

const planLinksOf = defineLookUp<Record<string, never>, [planId: string]>(
  'select from plan_links where tenant_id = $1 and plan_id = $2 limit 1',
);

export async function isPlanInUse(tx: CommandTransaction, planId: string): Promise<boolean> {
  return (await tx.lookUp(planLinksOf, planId)).length > 0;
}
