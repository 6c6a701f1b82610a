import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../ui/icon.js';
import { toast } from '../../ui/toast.js';
import { InviteLink } from './invite-link.js';
import { StudentField } from '../../parts/student-field.js';
import classes from './students.module.css';
import { useStudent } from '../../parts/students.queries.js';
import { useInviteLink } from './invites.queries.js';

/** Chooses a student and creates an invite. */
export function InviteSomebody() {
  const [studentId, setStudentId] = useState<string | null>(null);
  return (
    <div className={classes.access}>
      <StudentField label="Aluno" value={studentId} onChange={setStudentId} />
      {studentId !== null && <Invitation key={studentId} studentId={studentId} />}
    </div>
  );
}

function Invitation({ studentId }: { studentId: string }) {
  const { data: student } = useStudent(studentId);
  const { invite, busy } = useInviteLink();
  const [url, setUrl] = useState<string | null>(null);
  const create = async () => {
    const made = await invite(studentId);
    setUrl(made);
    if (made !== null) toast.success('Link criado!');
  };
  if (url !== null && student) return <InviteLink student={student} url={url} />;
  return (
    <Button
      variant="light"
      loading={busy}
      onClick={() => void create()}
      leftSection={<Icon name="link" size={18} />}
    >
      Gerar Link de Convite
    </Button>
  );
}
