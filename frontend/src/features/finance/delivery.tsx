import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { dayOf, formatDay, formatMonth, type Month, monthOf, parseDate } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday, useZone } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Card } from '../../ui/card.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './finance.module.css';
import { monthQuery } from './finance.queries.js';

type Delivery = NonNullable<MonthSummary['entrega']>;

const asDelivered = (month: Month, { em }: Delivery) => `/financeiro?mes=${month}&em=${em}`;

function useDeliveryDay() {
  const [zone, today] = [useZone(), useToday()];
  return ({ em }: Delivery) => formatDay(dayOf(em, zone), today);
}

/** Says when the month was handed to the accountant and what changed since; leads to the changes, and takes the delivery back. */
export function DeliveryLine({ month, entrega }: { month: Month; entrega: Delivery }) {
  const dayOfDelivery = useDeliveryDay();
  const { takeBack } = useDelivery(month);
  const { mudancas, valor } = entrega;
  return (
    <Card flush>
      <Row
        to={asDelivered(month, entrega)}
        title={`Entregue ao contador: ${dayOfDelivery(entrega)}`}
        facts={
          mudancas === 0
            ? 'Nada mudou desde então'
            : `${plural(mudancas, 'mudança', 'mudanças')} desde a entrega: ${valor > 0 ? '+' : ''}${formatMoney(valor)}`
        }
      />
      <div className={classes.takeBack}>
        <UndoButton
          size="sm"
          variant="subtle"
          what="Desfazer entrega"
          of={month}
          price={(signal) => read('GET /finance/months/:month/delivery/preview', { of: [month], signal })}
          onUndo={takeBack}
        />
      </div>
    </Card>
  );
}

/** Marks a month as handed to the accountant, which its toast undoes. */
export function useDelivery(month: Month) {
  const send = useSend('PUT /finance/months/:month/delivery', month);
  const undo = useSend('DELETE /finance/months/:month/delivery', month);
  const takeBack = () => attempt(() => undo.mutateAsync(undefined), 'Erro ao desfazer a entrega');
  const deliver = () =>
    attempt(async () => {
      await send.mutateAsync(undefined);
      toast.success('Mês marcado como entregue ao contador', { undo: takeBack, undone: 'Entrega desfeita' });
    }, 'Erro ao marcar o mês como entregue');
  return { deliver, takeBack };
}

interface DeliverySheetProps {
  month: Month;
  entrega: Delivery;
  opened: boolean;
  onClose: () => void;
}

/** A delivered month: as it was then, deliver it again, and its history. */
export function DeliverySheet({ month, entrega, opened, onClose }: DeliverySheetProps) {
  const { deliver } = useDelivery(month);
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title={`Entrega de ${formatMonth(month)} ao contador`}
      withoutAddress
    >
      <div className={classes.files}>
        <Button component={Link} to={asDelivered(month, entrega)} variant="default" fullWidth>
          Ver como foi entregue
        </Button>
        <History kind="month" id={entrega.id} />
      </div>
      <SheetActions>
        <Button onClick={() => void deliver().then(onClose)}>Marcar de novo</Button>
      </SheetActions>
    </Sheet>
  );
}

/** Tells before an entry is saved that it changes a month that was handed to the accountant. */
export function DeliveredNote({ days }: { days: readonly string[] }) {
  const months = new Set(days.flatMap((typed) => parseDate(typed) ?? []).map(monthOf));
  return [...months].map((month) => <NoteOfMonth key={month} month={month} />);
}

function NoteOfMonth({ month }: { month: Month }) {
  const { data } = useQuery(monthQuery(month));
  const dayOfDelivery = useDeliveryDay();
  if (!data?.entrega) return null;
  return (
    <Quiet role="status">
      O mês de {formatMonth(month)} já foi entregue ao contador ({dayOfDelivery(data.entrega)}). Esta mudança
      aparece como feita depois da entrega.
    </Quiet>
  );
}
