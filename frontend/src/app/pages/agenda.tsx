import { AgendaPage } from '../../features/agenda/agenda-page.js';
import { History } from '../../features/audit/history.js';
import { LocationField } from '../../features/locations/location-field.js';
import { StudentField } from '../../features/students/student-field.js';

export default function Agenda() {
  return (
    <AgendaPage
      StudentField={StudentField}
      LocationField={LocationField}
      history={(id) => <History kind="session" id={id} />}
    />
  );
}
