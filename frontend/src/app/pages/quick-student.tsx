import { PlanField } from '../../features/plans/plan-field.js';
import { useMonthlyPrice } from '../../features/plans/plans.queries.js';
import { QuickStudent } from '../../features/students/quick-student.js';
import type { QuickFormProps } from '../../ui/choice.js';

export default function NewStudentForBooking(props: QuickFormProps) {
  return <QuickStudent PlanField={PlanField} monthlyPrice={useMonthlyPrice()} {...props} />;
}
