import { Outlet } from 'react-router-dom';
import { MemberArea } from './member-area.js';
import { Shell } from './shell/shell.js';
import { StudentShell } from './shell/student-shell.js';

const shells = { personal: Shell, aluno: StudentShell };

/** What belongs to no area, with the navigation of whoever is signed in. */
export default function AnyArea({ userId }: { userId: string }) {
  return (
    <MemberArea userId={userId} role={null}>
      {(role) => {
        const Around = role ? shells[role] : Outlet;
        return <Around />;
      }}
    </MemberArea>
  );
}
