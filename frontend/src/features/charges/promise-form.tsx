import { Button } from '@mantine/core';
import {
  type ChargeDetail,
  promise,
  type Promised,
} from '../../../../backend/modules/charges/charges.api.js';
import { formatDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { takenBack, toast } from '../../ui/toast.js';
import { usePromise } from './charges.queries.js';

/** A promise to pay on a day, until which the student is not reminded. An empty date removes it. */
export function PromiseForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const today = useToday();
  const { mutateAsync } = usePromise(charge.id);
  const form = useBodyForm({
    initialValues: { dia: charge.prometida ?? today },
    schema: promise,
    toBody: ({ dia }): unknown => ({ dia: dia === '' ? null : dia }),
  });

  const save = async (body: Promised) => {
    await mutateAsync(body);
    onDone();
    toast.success(body.dia === null ? 'Promessa removida' : 'Promessa anotada', {
      ...(body.dia !== null && { description: `Sem lembretes até ${formatDate(body.dia)}.` }),
      ...takenBack(() => mutateAsync({ dia: charge.prometida, se_ainda: body.dia })),
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao anotar a promessa' })}>
      <DateField
        label="O aluno prometeu pagar em"
        description="Deixe em branco para remover a promessa."
        {...form.getInputProps('dia')}
      />
      <SheetActions onBack={onDone}>
        <Button type="submit" loading={form.submitting}>
          Salvar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
