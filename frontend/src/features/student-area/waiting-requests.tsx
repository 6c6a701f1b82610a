import { useState } from 'react';
import { wordFor } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ListChip } from '../../ui/chip.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Row } from '../../ui/row.js';
import { Notice } from '../../ui/notice.js';
import { Sheet } from '../../ui/sheet.js';
import { RequestCard } from './request-card.js';
import { useSessionRequests } from './requests.queries.js';

/** Open requests of students; each answered in its own sheet. */
export default function WaitingRequests() {
  const zone = useZone();
  const requests = useSessionRequests();
  const [chosen, choose] = useState<string | null>(null);
  const shown = requests.data?.pages.flatMap(({ items }) => items).find(({ id }) => id === chosen);
  const waiting = requests.data?.pages[0]?.items.length ?? 0;
  return (
    <ListChip
      figure={waiting > 0 ? String(waiting) : null}
      word={wordFor(waiting, 'pedido', 'pedidos')}
      title="Pedidos de alunos"
    >
      <InfiniteList of={requests} manual empty={<Notice icon="check" title="Nenhum pedido em aberto" />}>
        {(items) => (
          <Card flush>
            {items.map(({ id, student_nome, inicio, pedido, motivo }) => (
              <Row
                key={id}
                onClick={() => choose(id)}
                lead={<Icon name="chat" />}
                title={`${student_nome} quer ${pedido}`}
                facts={[formatMoment(inicio, zone), motivo].filter(Boolean).join(' · ')}
              />
            ))}
          </Card>
        )}
      </InfiniteList>
      <Sheet
        opened={shown !== undefined}
        onClose={() => choose(null)}
        title={shown ? `${shown.student_nome}, ${formatMoment(shown.inicio, zone)}` : ''}
        withoutAddress
      >
        {shown && <RequestCard request={shown} onAnswered={() => choose(null)} />}
      </Sheet>
    </ListChip>
  );
}
