import { useStepAction } from '../../features/agenda/steps.js';
import { NewPlanPage } from '../../features/plans/new-plan-page.js';

export default function NewPlan() {
  return <NewPlanPage next={useStepAction('plano')} />;
}
