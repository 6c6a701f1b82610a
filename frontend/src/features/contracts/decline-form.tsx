import { Button } from '@mantine/core';
import { refusal } from '../../../../backend/modules/contracts/contracts.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { FormStack, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { toast } from '../../ui/toast.js';
import { type Reader, useSigning } from './contracts.queries.js';

export function DeclineForm({ reader, onBack }: { reader: Reader; onBack: () => void }) {
  const { mutateAsync } = useSigning(reader);
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: refusal,
    toBody: (values) => values,
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async ({ motivo }) => {
            await mutateAsync({ to: 'decline', motivo });
            toast.success('Contrato recusado', { description: 'Seu personal vê o motivo.' });
          },
          failure: 'Erro ao recusar contrato',
        })}
      >
        <LongTextField label="Motivo *" {...form.getInputProps('motivo')} />
        <Button type="submit" loading={form.submitting}>
          Recusar contrato
        </Button>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      </FormStack>
    </Card>
  );
}
