import { ActionIcon } from '@mantine/core';
import type { Waiting } from '../../lib/outbox.js';
import { discard, usePending } from '../../lib/pending.js';
import { Row } from '../../ui/row.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Sheet } from '../../ui/sheet.js';
import { outcomeOf } from './pending-words.js';

/** All waiting writes of the outbox, in order. Those that cannot have reached the server can be discarded. */
export default function PendingSheet({ onClose }: { onClose: () => void }) {
  const writes = usePending((pending) => pending.writes);
  return (
    <Sheet opened onClose={onClose} title="Ainda não enviado" withoutAddress>
      {writes.length === 0 && <Notice icon="check" title="Tudo foi enviado" />}
      {writes.map((write) => (
        <PendingRow key={write.key} write={write} />
      ))}
    </Sheet>
  );
}

function PendingRow({ write }: { write: Waiting }) {
  const mayHaveArrived = write.triedAt !== undefined && !write.held;
  return (
    <Row
      lead={<Icon name={write.held ? 'alert' : 'clock'} />}
      title={write.title.replace(/,$/, '')}
      facts={`${outcomeOf(write)}${mayHaveArrived ? ' Já tentamos enviar uma vez, sem resposta.' : ''}`}
      actions={
        !mayHaveArrived && (
          <ActionIcon
            aria-label={`Descartar: ${write.title.replace(/,$/, '')}`}
            onClick={() => void discard(write)}
          >
            <Icon name="trash" />
          </ActionIcon>
        )
      }
    />
  );
}
