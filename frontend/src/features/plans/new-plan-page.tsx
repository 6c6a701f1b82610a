import { newPlan } from '../../../../backend/modules/plans/plans.api.js';
import { useStepAction } from '../../parts/first-steps.js';
import { NewRecordPage } from '../../ui/records-page.js';
import { PlanForm } from './plan-form.js';
import { plans } from './plans.queries.js';

export default function NewPlanPage() {
  return (
    <NewRecordPage
      of={plans}
      next={useStepAction('plano')}
      form={(props) => <PlanForm schema={newPlan} {...props} />}
    />
  );
}
