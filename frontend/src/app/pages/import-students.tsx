import { usePlanChoices } from '../../features/plans/plans.queries.js';
import { ImportStudentsPage } from '../../features/student-imports/import-students-page.js';

export default function ImportStudents() {
  const { data } = usePlanChoices();
  return <ImportStudentsPage plans={data?.items.filter(({ is_active }) => is_active)} />;
}
