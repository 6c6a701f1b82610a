import { wordFor } from '../../../../backend/platform/plural.api.js';
import { LinkChip } from '../../ui/chip.js';
import { useRemindersWaiting } from './reminders.queries.js';

/** Number of reminders to send; renders nothing if there are none. */
export default function WaitingReminders() {
  const total = useRemindersWaiting().data?.total ?? 0;
  if (total === 0) return null;
  return (
    <LinkChip to="/agenda?abrir=lembretes" figure={String(total)}>
      {wordFor(total, 'lembrete', 'lembretes')}
    </LinkChip>
  );
}
