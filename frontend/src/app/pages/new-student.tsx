import { PlanField } from '../../features/plans/plan-field.js';
import { useMonthlyPrice } from '../../features/plans/plans.queries.js';
import { NewStudentPage } from '../../features/students/new-student-page.js';

export default function NewStudent() {
  return <NewStudentPage PlanField={PlanField} monthlyPrice={useMonthlyPrice()} />;
}
