import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { isInUse } from '../../platform/event-store/uses.js';
import { decideCreate, decideRemove, decideRestore, decideUpdate, plan } from './plan.js';
import type { NewPlan, PlanChanges } from './plans.api.js';

export const CreatePlan = defineCommand('CreatePlan', (tx, fields: NewPlan) => {
  const id = randomUUID();
  tx.append(plan, id, decideCreate(id, fields));
  return { id };
});

export const UpdatePlan = defineCommand('UpdatePlan', async (tx, id: string, changes: PlanChanges) => {
  const [state, isOfStudents] = await Promise.all([
    tx.load(plan, id),
    isInUse(tx, plan, id, ['student', 'monthly-plan']),
  ]);
  tx.append(plan, id, decideUpdate(state, changes, isOfStudents));
  return { id };
});

export const RemovePlan = defineCommand('RemovePlan', async (tx, id: string) => {
  const [state, inUse] = await Promise.all([tx.load(plan, id), isInUse(tx, plan, id)]);
  tx.append(plan, id, decideRemove(state, inUse));
  return { id };
});

export const RestorePlan = defineCommand('RestorePlan', async (tx, id: string) => {
  tx.append(plan, id, decideRestore(await tx.load(plan, id)));
  return { id };
});
