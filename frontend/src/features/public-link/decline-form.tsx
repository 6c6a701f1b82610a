import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoney } from '../../lib/money.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { ButtonRow } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './public-link.module.css';
import { firstOf, insteadOf, messageTo, whoIn } from './visit-words.js';

interface DeclineFormProps {
  visit: Visit;
  onBack: () => void;
}

/** Declines a visitor's booking, with words for the visitor. */
export function DeclineForm({ visit, onBack }: DeclineFormProps) {
  const { id, session_id, inicio } = visit;
  const zone = useZone();
  const decline = useSendTo('POST /visits/:id/decline');
  const reopen = useSendTo('POST /sessions/:id/reopen');
  const [mensagem, setMensagem] = useState('');
  const said = mensagem.trim() || null;

  const onDecline = () =>
    attempt(async () => {
      await decline.mutateAsync({ id, mensagem: said });
      toast.success('Reserva recusada', {
        description: `${whoIn(visit)}, ${formatMoment(inicio, zone)}`,
        ...takenBack(() => reopen.mutateAsync({ id: session_id }), 'Recusa desfeita'),
      });
    }, 'Erro ao recusar');
  const message = messageTo(visit, said ?? insteadOf(visit, zone));

  return (
    <div className={classes.decline}>
      <Textarea
        label="Mensagem (opcional)"
        description="Aparece na página da reserva. Também vai por e-mail, se a pessoa puder receber."
        autosize
        minRows={2}
        maxLength={300}
        autoFocus
        value={mensagem}
        onChange={({ currentTarget }) => setMensagem(currentTarget.value)}
      />
      {visit.cobranca && visit.cobranca.pago > 0 && (
        <Quiet size="sm">
          Os {formatMoney(visit.cobranca.pago)} que {firstOf(visit)} pagou ficam em “A devolver”.
        </Quiet>
      )}
      <ButtonRow>
        <Button color="red" onClick={() => void onDecline()} loading={decline.isPending}>
          Recusar reserva
        </Button>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      </ButtonRow>
      {message && (
        <a className={classes.message} href={message} target="_blank" rel="noreferrer">
          Enviar a mensagem no WhatsApp
        </a>
      )}
    </div>
  );
}
