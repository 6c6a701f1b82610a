import { MemberArea } from './member-area.js';
import { StudentShell } from './shell/student-shell.js';

export default function StudentArea({ userId }: { userId: string }) {
  return (
    <MemberArea userId={userId} role="aluno">
      <StudentShell />
    </MemberArea>
  );
}
