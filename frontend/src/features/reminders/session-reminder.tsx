import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import classes from './reminders.module.css';
import { useReminders } from './reminders.queries.js';

/** A mark that the student has confirmed the session; renders nothing before that. */
export function SessionReminder({ sessionId }: { sessionId: string }) {
  const zone = useZone();
  const confirmed = useReminders(sessionId).data?.items.find(({ confirmado_em }) => confirmado_em !== null);
  if (!confirmed?.confirmado_em) return null;
  return (
    <p className={classes.confirmed}>
      <Icon name="check" size={18} />
      Presença confirmada pelo aluno, {formatMoment(confirmed.confirmado_em, zone)}
    </p>
  );
}
