import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { freshLink } from '../charges/charges.commands.js';
import { followPlan } from '../charges/monthly-plans.commands.js';
import { decideEndArea, studentAccess } from '../accounts/student-access.js';
import { existingPlan, offeredPlan, plan } from '../plans/plan.js';
import {
  activeStudent,
  decideRegister,
  decideRestore,
  decideUpdate,
  existingStudent,
  student,
} from '../students/student.js';
import type { NewStudent, StudentChanges } from '../students/students.api.js';

export const RegisterStudent = defineCommand(
  'RegisterStudent',
  { tokens: LinkTokens },
  async (tx, { tokens }, { mensalidade, ...fields }: NewStudent) => {
    const para = fields.plano_id ? offeredPlan(await tx.load(plan, fields.plano_id)) : undefined;
    const id = randomUUID();
    tx.append(student, id, decideRegister(id, fields));
    await followPlan(tx, { student_id: id, de: null, para, mensalidade }, () => freshLink(tokens));
    return { id };
  },
);

export const UpdateStudent = defineCommand(
  'UpdateStudent',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, { mensalidade, se_ainda, ...fields }: StudentChanges) => {
    const [state, wantedPlan] = await Promise.all([
      tx.load(student, id),
      fields.plano_id ? tx.load(plan, fields.plano_id) : undefined,
    ]);
    const { plano_id: de } = mensalidade && !se_ainda ? activeStudent(state) : existingStudent(state);
    if (wantedPlan && fields.plano_id !== de) offeredPlan(wantedPlan);
    const { mensalidade: _seen, ...seen } = se_ainda ?? {};
    tx.append(student, id, decideUpdate(state, { ...fields, ...(se_ainda && { se_ainda: seen }) }));
    const planId = fields.plano_id === undefined ? de : fields.plano_id;
    if (planId !== de || mensalidade !== undefined) {
      const para = planId === null ? undefined : existingPlan(wantedPlan ?? (await tx.load(plan, planId)));
      await followPlan(tx, { student_id: id, de, para, mensalidade, se_ainda }, () => freshLink(tokens));
    }
    return { id };
  },
);

export const RestoreStudent = defineCommand('RestoreStudent', async (tx, id: string) => {
  await restore(tx, id);
  return { id };
});

/** Active again, with the former plan if it is still offered. The area link of a removed student stays invalid. */
export async function restore(tx: CommandTransaction, id: string): Promise<void> {
  const state = await tx.load(student, id);
  const formerPlan =
    state.status !== 'unknown' && state.plano_id ? await tx.load(plan, state.plano_id) : undefined;
  tx.append(student, id, decideRestore(state, formerPlan?.status === 'existing'));
  if (state.status === 'removed')
    tx.append(studentAccess, id, decideEndArea(await tx.load(studentAccess, id), id));
}
