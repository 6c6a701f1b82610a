import { PlanField } from '../../features/plans/plan-field.js';
import { useMonthlyPrice, usePlanName } from '../../features/plans/plans.queries.js';
import { EditStudentPage } from '../../features/students/edit-student-page.js';

export default function EditStudent() {
  return <EditStudentPage PlanField={PlanField} monthlyPrice={useMonthlyPrice()} planName={usePlanName()} />;
}
