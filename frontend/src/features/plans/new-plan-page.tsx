import { newPlan } from '../../../../backend/modules/plans/plans.api.js';
import { NewRecordPage } from '../../ui/records-page.js';
import type { ToastAction } from '../../ui/toast.js';
import { PlanForm } from './plan-form.js';
import { plans } from './plans.queries.js';

/** `next`: what a new account does after its first plan. */
export function NewPlanPage({ next }: { next: () => ToastAction | undefined }) {
  return <NewRecordPage of={plans} next={next} form={(props) => <PlanForm schema={newPlan} {...props} />} />;
}
