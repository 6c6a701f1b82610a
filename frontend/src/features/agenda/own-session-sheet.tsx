import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OwnSession } from '../../../../backend/modules/agenda/own-sessions.api.js';
import { newSessionRequest } from '../../../../backend/modules/student-area/student-area.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './cancel-form.module.css';
import { useOwnCancellation, useOwnStep, useRequestCancellation } from './own-sessions.queries.js';
import detail from './session-detail.module.css';
import { saveSessionFile } from './session-file.js';

interface OwnSessionDetailProps {
  session: OwnSession;
  onDone: () => void;
}

/** What a student can do with one of the own sessions. */
export default function OwnSessionDetail({ session, onDone }: OwnSessionDetailProps) {
  const { id, location_nome, pedido } = session;
  const [cancelling, setCancelling] = useState(false);
  if (cancelling) return <Cancelling session={session} onDone={onDone} onBack={() => setCancelling(false)} />;
  return (
    <div className={detail.detail}>
      <p className={detail.when}>{location_nome ?? 'Local a combinar'}</p>
      {pedido && <Asked id={id} pedido={pedido} />}
      <SheetActions>
        <Button
          variant="default"
          onClick={() => void saveSessionFile(`/student/sessions/${id}`)}
          leftSection={<Icon name="calendar" size={18} />}
        >
          Adicionar ao calendário
        </Button>
        {pedido?.situacao !== 'aberto' && (
          <Button
            variant="default"
            onClick={() => setCancelling(true)}
            leftSection={<Icon name="close" size={18} />}
          >
            Desmarcar
          </Button>
        )}
      </SheetActions>
    </div>
  );
}

/** What was asked of the trainer, and what became of it. */
function Asked({ id, pedido }: { id: string; pedido: NonNullable<OwnSession['pedido']> }) {
  const withdrawal = useOwnStep(id);
  if (pedido.situacao === 'recusado')
    return (
      <p className={classes.consequence} data-costs>
        <Icon name="alert" size={18} />
        <span>
          Seu personal recusou o pedido: a aula continua marcada.
          {pedido.mensagem && ` “${pedido.mensagem}”`}
        </span>
      </p>
    );
  return (
    <>
      <p className={classes.consequence} data-costs>
        <Icon name="clock" size={18} />
        <span>Pedido enviado. A aula continua marcada até seu personal responder.</span>
      </p>
      <Button
        variant="default"
        loading={withdrawal.isPending}
        onClick={() =>
          void attempt(async () => {
            await withdrawal.mutateAsync('request/withdraw');
            toast.success('Pedido cancelado');
          }, 'Erro ao cancelar o pedido')
        }
      >
        Cancelar pedido
      </Button>
    </>
  );
}

interface CancellingProps extends OwnSessionDetailProps {
  onBack: () => void;
}

/** What cancelling costs stands there before the tap; within the notice it is done alone, afterwards asked for. */
function Cancelling({ session, onDone, onBack }: CancellingProps) {
  return (
    <Async of={useOwnCancellation(session.id)} skeleton={<Skeletons count={1} height={68} />}>
      {({ sozinho, texto }) => (
        <>
          <p className={classes.consequence} data-costs={!sozinho || undefined}>
            <Icon name={sozinho ? 'check' : 'alert'} size={18} />
            <span>{texto}</span>
          </p>
          {sozinho ? (
            <CancelAlone session={session} onDone={onDone} onBack={onBack} />
          ) : (
            <AskToCancel session={session} onDone={onDone} onBack={onBack} />
          )}
        </>
      )}
    </Async>
  );
}

function CancelAlone({ session: { id, inicio }, onDone, onBack }: CancellingProps) {
  const zone = useZone();
  const step = useOwnStep(id);
  const cancel = () =>
    attempt(async () => {
      await step.mutateAsync('cancel');
      onDone();
      toast.success('Aula desmarcada', {
        description: formatMoment(inicio, zone),
        undo: () => attempt(() => step.mutateAsync('undo'), 'Erro ao desfazer'),
        undone: 'Cancelamento desfeito',
      });
    }, 'Erro ao desmarcar a aula');
  return (
    <SheetActions>
      <Button variant="default" onClick={onBack}>
        Voltar
      </Button>
      <Button color="red" loading={step.isPending} onClick={() => void cancel()}>
        Desmarcar aula
      </Button>
    </SheetActions>
  );
}

function AskToCancel({ session: { id }, onDone, onBack }: CancellingProps) {
  const { mutateAsync } = useRequestCancellation(id);
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: newSessionRequest,
    toBody: (values): unknown => values,
    draft: `pedido.${id}`,
  });
  const send = async (body: { motivo: string }) => {
    await mutateAsync(body);
    form.finish();
    onDone();
    toast.success('Pedido enviado', { description: 'A aula continua marcada até seu personal responder.' });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save: send, failure: 'Erro ao enviar o pedido' })}>
      <LongTextField label="Motivo" {...form.getInputProps('motivo')} />
      <SheetActions>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
        <Button type="submit" loading={form.submitting}>
          Pedir para desmarcar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
