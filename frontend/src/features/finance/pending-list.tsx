import { ActionIcon } from '@mantine/core';
import { UNDONE } from '../../../../backend/modules/finance/finance.api.js';
import { formatDate, type Month } from '../../lib/dates.js';
import { usePending } from '../../lib/pending.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { attempt } from '../../ui/toast.js';
import classes from './finance.module.css';
import { useReverseTransaction } from './finance.queries.js';
import { pendingEntries, type PendingEntry } from './pending-entries.js';
import { methods } from './words.js';

/** Entries of the month in the outbox, which no sum includes before they are sent. */
export function PendingEntries({ month }: { month: Month }) {
  const entries = pendingEntries(
    usePending(({ writes }) => writes),
    month,
  );
  if (entries.length === 0) return null;
  return (
    <>
      <Card flush>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Card>
      <Quiet>Lançamentos ainda não enviados não entram nos valores do mês.</Quiet>
    </>
  );
}

/** Marks an entry whose reversal is in the outbox. */
export function PendingReversal({ id }: { id: string }) {
  const isWaiting = usePending(({ writes }) =>
    writes.some(({ subject, effect, held }) => subject === id && effect === 'reverse' && !held),
  );
  return isWaiting && <PendingMark>estorno ainda não enviado</PendingMark>;
}

function Entry({ entry }: { entry: PendingEntry }) {
  const { tipo, descricao, data, metodo_pagamento, valor } = entry;
  const { mutateAsync, isPending } = useReverseTransaction();
  return (
    <Row
      lead={
        <span className={classes.kind} data-kind={tipo}>
          <Icon name={tipo === 'receita' ? 'up' : 'drop'} size={18} />
        </span>
      }
      title={descricao}
      facts={
        <>
          {formatDate(data)} · {methods[metodo_pagamento].label}
          <PendingMark />
        </>
      }
      trail={<Money cents={tipo === 'despesa' ? -valor : valor} signed strong />}
      actions={
        <ActionIcon
          aria-label={`Desfazer: ${descricao}`}
          loading={isPending}
          onClick={() => void attempt(() => mutateAsync({ ...entry, motivo: UNDONE }), 'Erro ao desfazer')}
        >
          <Icon name="undo" />
        </ActionIcon>
      }
    />
  );
}
