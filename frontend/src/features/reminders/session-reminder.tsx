import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Quiet } from '../../ui/quiet.js';
import { sentWords, useReminders } from './reminders.queries.js';
import classes from './reminders.module.css';

/** A mark that the student has confirmed the session, or what became of the reminder that was sent by itself; otherwise nothing. */
export function SessionReminder({ sessionId }: { sessionId: string }) {
  const zone = useZone();
  const items = useReminders(sessionId).data?.items ?? [];
  const confirmed = items.find(({ confirmado_em }) => confirmado_em !== null);
  const sent = items.find(({ whatsapp }) => whatsapp !== null)?.whatsapp;
  if (!confirmed?.confirmado_em) return sent ? <Quiet>Lembrete: {sentWords(sent, zone)}</Quiet> : null;
  return (
    <p className={classes.confirmed}>
      <Icon name="check" size={18} />
      Presença confirmada pelo aluno, {formatMoment(confirmed.confirmado_em, zone)}
    </p>
  );
}
