import { Outlet } from 'react-router-dom';
import { MemberArea } from './member-area.js';
import { Shell } from './shell/shell.js';
import { StudentShell } from './shell/student-shell.js';

const shells = { personal: Shell, aluno: StudentShell };

/** Pages that belong to no area, with the navigation of the signed-in user. */
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
