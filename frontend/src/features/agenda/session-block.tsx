import { VisuallyHidden } from '@mantine/core';
import { dayOf, formatTime, timeOf } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { CompleteButton } from './complete-button.js';
import { isMovable } from './move-form.js';
import { isUnanswered } from './next-session.js';
import classes from './session-block.module.css';
import type { ShownSession } from './pending-session.js';
import { statuses } from './session-status.js';

interface SessionBlockProps {
  session: ShownSession;
  onOpen: () => void;
}

/** A session in the calendar. Its state shows by shape, colour and (for screen readers) word. */
export function SessionBlock({ session, onOpen }: SessionBlockProps) {
  const zone = useZone();
  const isToCome = dayOf(session.inicio, zone) > useToday();
  const { label, icon } = statuses[session.status];
  const name = session.student_nome ?? 'Aluno apagado';
  const unanswered = isUnanswered(session);

  return (
    <div className={classes.block} data-status={session.status} data-unanswered={unanswered || undefined}>
      <button type="button" className={classes.open} data-session={session.id} onClick={onOpen}>
        <span className={classes.time}>
          <Icon name={icon} size={14} />
          <VisuallyHidden component="span">{label}</VisuallyHidden>
          {formatTime(timeOf(session.inicio, zone))}–{formatTime(timeOf(session.fim, zone))}
          {unanswered && <span className={classes.missing}>a confirmar</span>}
          {session.sem_credito && <span className={classes.missing}>sem crédito</span>}
          {session.pendente && <PendingMark />}
        </span>
        <span className={classes.name}>{name}</span>
        {session.location_nome && <span className={classes.place}>{session.location_nome}</span>}
        {isMovable(session) && <span className={classes.edge} data-edge />}
      </button>
      {session.status === 'agendada' && !isToCome && !unanswered && (
        <span className={classes.done}>
          <CompleteButton session={session} />
        </span>
      )}
    </div>
  );
}
