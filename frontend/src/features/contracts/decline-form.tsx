import { Button } from '@mantine/core';
import { refusal } from '../../../../backend/modules/contracts/contracts.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { FormStack, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { toast } from '../../ui/toast.js';
import { type Reader, useSigning } from './contracts.queries.js';

interface DeclineFormProps {
  reader: Reader;
  /** The text that was typed before going back. */
  motivo: string;
  onBack: (motivo: string) => void;
}

export function DeclineForm({ reader, motivo, onBack }: DeclineFormProps) {
  const { mutateAsync } = useSigning(reader);
  const form = useBodyForm({
    initialValues: { motivo },
    schema: refusal,
    toBody: (values) => values,
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async (body) => {
            await mutateAsync({ to: 'decline', ...body });
            toast.success('Contrato recusado', { description: 'Seu personal vê o motivo.' });
          },
          failure: 'Erro ao recusar contrato',
        })}
      >
        <LongTextField label="Motivo *" {...form.getInputProps('motivo')} />
        <Button type="submit" loading={form.submitting}>
          Recusar contrato
        </Button>
        <Button variant="default" onClick={() => onBack(form.values.motivo)}>
          Voltar
        </Button>
      </FormStack>
    </Card>
  );
}
