import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.js';
import { isUnanswered } from './next-session.js';
import type { ShownSession } from './pending-session.js';
import { calledBy } from './shared-hours.js';
import { isOwed } from './status-change.js';
import { useStudentParts } from './student-parts.js';

interface MainButtonProps {
  /** The session, or all sessions of a group's hour. */
  sessions: readonly ShownSession[];
  /** Whether its day has come, from which on a session can be done. */
  isDue: boolean;
  busy: boolean;
  onComplete: () => void;
  /** Stands where the session is still to come. */
  ahead: ReactNode;
  /** Stands where nothing is left to be done. */
  otherwise: ReactNode;
}

/** The main button of a session's sheet, or of a group's: confirms, completes, or leads to the money, by state. */
export function MainButton({ sessions, isDue, busy, onComplete, ahead, otherwise }: MainButtonProps) {
  const { ConfirmVisit, SessionDue } = useStudentParts();
  const isGroup = sessions.length > 1;
  /** "de Ana", where there are several. */
  const whose = ({ student_nome }: ShownSession) => (isGroup ? ` de ${calledBy(student_nome)}` : '');

  const due = sessions
    .filter((one) => isOwed(one) && one.student_nome !== null)
    .reduceRight<ReactNode>(
      (others, one, index, owed) => (
        <SessionDue
          key={one.id}
          session={one}
          whose={whose(one)}
          others={index < owed.length - 1 && others}
          otherwise={others}
        />
      ),
      otherwise,
    );
  const completing = isDue ? (
    <Button loading={busy} onClick={onComplete} leftSection={<Icon name="check" />}>
      {isGroup ? 'Marcar todas como feitas' : 'Marcar como feita'}
    </Button>
  ) : (
    ahead
  );
  const step = sessions.some(({ status }) => status === 'agendada') ? completing : due;
  const unanswered = sessions.find(isUnanswered);
  return unanswered ? (
    <ConfirmVisit sessionId={unanswered.id} otherwise={step}>
      {`Confirmar reserva${whose(unanswered)}`}
    </ConfirmVisit>
  ) : (
    step
  );
}
