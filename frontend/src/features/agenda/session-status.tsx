import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { CancellationReason, SessionStatus } from '../../../../backend/modules/sessions/sessions.api.js';
import { VisuallyHidden } from '@mantine/core';
import { Icon, type IconName } from '../../ui/icon.js';
import { Tag, type Tone } from '../../ui/tag.js';
import { isUnanswered } from './next-session.js';
import type { ShownSession } from './pending-session.js';
import classes from './session-status.module.css';

interface Look {
  label: string;
  icon: IconName;
  tone: Tone;
}

/** agendada primary, feita green, cancelada red (spec 1, section 4), each with its own shape. */
export const statuses: Record<SessionStatus, Look> = {
  agendada: { label: 'Agendada', icon: 'circle', tone: 'accent' },
  feita: { label: 'Realizada', icon: 'check', tone: 'good' },
  cancelada: { label: 'Cancelada', icon: 'close', tone: 'bad' },
};

export const reasons: Record<CancellationReason, string> = {
  personal: 'Eu cancelei',
  aluno_no_prazo: 'O aluno avisou no prazo',
  aluno_fora_do_prazo: 'O aluno avisou fora do prazo',
  falta: 'O aluno faltou',
};

/** "Avaliação · Academia": service and location of a session, as far as it has them. */
export const whatAndWhere = ({ servico, location_id, location_nome }: Session): string =>
  [servico?.nome, location_id ? (location_nome ?? 'Local não encontrado') : servico?.endereco && 'Online']
    .filter(Boolean)
    .join(' · ');

/** The same in a list, where it is said that there is none. */
export const placeOf = (session: Session): string => whatAndWhere(session) || 'Sem local';

export { sessionAddress } from '../../lib/session-address.js';

/** The status as shape and colour only, where there is no room for a word. */
export function StatusMark({ status }: { status: SessionStatus }) {
  const { label, icon } = statuses[status];
  return (
    <span className={classes.mark} data-status={status}>
      <Icon name={icon} size={16} />
      <VisuallyHidden component="span">{label}</VisuallyHidden>
    </span>
  );
}

const ToConfirm = () => (
  <Tag tone="warn" icon="clock" outlined>
    A confirmar
  </Tag>
);

export function StatusTag({ session }: { session: ShownSession }) {
  const { label, icon, tone } = statuses[session.status];
  if (isUnanswered(session)) return <ToConfirm />;
  return (
    <Tag tone={tone} icon={icon}>
      {label}
    </Tag>
  );
}

export function Legend() {
  return (
    <div className={classes.legend} aria-label="Legenda">
      {Object.entries(statuses).map(([status, { label, icon, tone }]) => (
        <Tag key={status} tone={tone} icon={icon}>
          {label}
        </Tag>
      ))}
      <ToConfirm />
    </div>
  );
}
