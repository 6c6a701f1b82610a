import { useState } from 'react';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { RequestCard } from './request-card.js';
import { useSessionRequests } from './requests.queries.js';

/** Students' requests that wait for an answer; nothing while there are none. */
export default function WaitingRequests() {
  const zone = useZone();
  const { data } = useSessionRequests();
  const [chosen, choose] = useState<string | null>(null);
  if (!data || data.items.length === 0) return null;
  const shown = data.items.find(({ id }) => id === chosen);
  return (
    <Section title="Pedidos de alunos">
      <Card flush>
        {data.items.map(({ id, student_nome, inicio, pedido, motivo }) => (
          <Row
            key={id}
            onClick={() => choose(id)}
            lead={<Icon name="chat" />}
            title={`${student_nome} quer ${pedido}`}
            facts={[formatMoment(inicio, zone), motivo].filter(Boolean).join(' · ')}
          />
        ))}
      </Card>
      <Sheet
        opened={shown !== undefined}
        onClose={() => choose(null)}
        title={shown ? `${shown.student_nome}, ${formatMoment(shown.inicio, zone)}` : ''}
        withoutAddress
      >
        {shown && <RequestCard request={shown} onAnswered={() => choose(null)} />}
      </Sheet>
    </Section>
  );
}
