import { plural } from '../../../../backend/platform/plural.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Row } from '../../ui/row.js';
import { useRemindersWaiting } from './reminders.queries.js';

/** Number of reminders to send; renders nothing if there are none. */
export default function WaitingReminders() {
  const total = useRemindersWaiting().data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Card flush>
      <Row
        to="/agenda?abrir=lembretes"
        lead={<Icon name="chat" />}
        title={plural(total, 'lembrete para enviar', 'lembretes para enviar')}
        facts="Mensagens prontas para o WhatsApp"
      />
    </Card>
  );
}
