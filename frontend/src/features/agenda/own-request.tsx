import { useNetwork } from '@mantine/hooks';
import {
  newSessionRequest,
  type NewSessionRequest,
} from '../../../../backend/modules/student-area/student-area.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { Icon } from '../../ui/icon.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { SheetForm } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import classes from './cancel-form.module.css';
import type { CancellingProps } from './own-session-sheet.js';

interface AskProps extends CancellingProps {
  /** The wanted time; without it, the request is a cancellation. */
  to?: string;
}

/** Requests a change that is late by the policy; the trainer decides. A request does not wait for a network. */
export default function Ask({ session: { id }, to, onDone, onBack }: AskProps) {
  const { mutateAsync } = useSend('POST /student/sessions/:id/request', id);
  const { online } = useNetwork();
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: newSessionRequest,
    toBody: (values): unknown => ({ ...values, ...(to && { inicio: to }) }),
    draft: `pedido.${id}`,
  });
  const send = async (body: NewSessionRequest) => {
    await mutateAsync(body);
    onDone();
    toast.success('Pedido enviado', { description: 'A aula continua agendada até seu personal responder.' });
  };
  return (
    <SheetForm
      form={form}
      save={send}
      failure="Erro ao enviar o pedido"
      submit={to ? 'Pedir para remarcar' : 'Pedir para desmarcar'}
      onBack={onBack}
    >
      {!online && (
        <p className={classes.consequence} data-costs role="status">
          <Icon name="offline" size={18} />
          <span>
            Sem internet. Para enviar o pedido, é preciso estar conectado: o que você preencheu continua aqui.
          </span>
        </p>
      )}
      <LongTextField label="Motivo" {...form.getInputProps('motivo')} />
    </SheetForm>
  );
}
