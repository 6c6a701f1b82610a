import { StatementPage } from '../../features/bank-lines/statement-page.js';
import { StudentField } from '../../features/students/student-field.js';

export default function Statement() {
  return <StatementPage StudentField={StudentField} />;
}
