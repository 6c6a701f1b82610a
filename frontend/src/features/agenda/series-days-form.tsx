import { Button } from '@mantine/core';
import { useState } from 'react';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions } from '../../ui/sheet.js';
import { Weekdays } from '../../ui/weekdays.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import type { ShownSession } from './pending-session.js';
import { useSeries } from './series.queries.js';
import { useSeriesChange } from './use-series-change.js';
import classes from './session-form.module.css';

interface SeriesDaysFormProps {
  session: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

/** Form for the weekdays of a session's series. */
export default function SeriesDaysForm({ session, ...props }: SeriesDaysFormProps) {
  const { serie_id, ocorrencia } = session;
  return (
    <Async of={useSeries(serie_id ?? '')} skeleton={<Skeletons count={2} height={56} />}>
      {({ trechos }) => {
        const stretch = trechos.findLast(({ desde }) => desde <= (ocorrencia ?? '')) ?? trechos[0]!;
        return <Days session={session} known={stretch.dias} {...props} />;
      }}
    </Async>
  );
}

function Days({ session, known, onDone, onBack }: SeriesDaysFormProps & { known: readonly number[] }) {
  const [days, setDays] = useState(known);
  const [isSending, setSending] = useState(false);
  const change = useSeriesChange();
  const isSame = days.length === known.length && days.every((day) => known.includes(day));

  const save = async () => {
    setSending(true);
    await attempt(async () => {
      const outcome = await change(session, 'Mudar os dias de', 'change', { dias: [...days] });
      if (outcome === 'done') onDone();
    }, 'Erro ao mudar os dias');
    setSending(false);
  };

  return (
    <div className={classes.panel}>
      <Weekdays days={days} onChange={setDays} />
      <Quiet>
        As sessões dos dias que continuam ficam como estão. As dos outros dias são excluídas, e as dos dias
        novos entram no mesmo horário. Um horário fixo com número de vezes continua com o mesmo número.
      </Quiet>
      <SheetActions onBack={onBack}>
        <Button loading={isSending} disabled={isSame} onClick={() => void save()}>
          Salvar
        </Button>
      </SheetActions>
    </div>
  );
}
