import { AgendaPage } from '../../features/agenda/agenda-page.js';
import { History } from '../../features/audit/history.js';
import { LocationField } from '../../features/locations/location-field.js';
import { useLocationName } from '../../features/locations/locations.queries.js';
import { StudentField } from '../../features/students/student-field.js';
import { useStudentName } from '../../features/students/students.queries.js';

export default function Agenda() {
  const names = { student: useStudentName(), location: useLocationName() };
  return (
    <AgendaPage
      StudentField={StudentField}
      LocationField={LocationField}
      names={names}
      history={(id) => <History kind="session" id={id} />}
    />
  );
}
