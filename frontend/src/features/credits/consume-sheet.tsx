import { plural } from '../../../../backend/platform/plural.api.js';
import { Button, TextInput } from '@mantine/core';
import { creditUse, type CreditUse } from '../../../../backend/modules/credits/credits.api.js';
import { useBodyForm } from '../../lib/form.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useAdjustCredits, useConsumeCredit } from './credits.queries.js';

interface ConsumeSheetProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

export function ConsumeSheet({ studentId, opened, onClose }: ConsumeSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Dar baixa em 1 crédito" beginsAtField withoutAddress>
      <ConsumeForm studentId={studentId} onDone={onClose} />
    </Sheet>
  );
}

function ConsumeForm({ studentId, onDone }: { studentId: string; onDone: () => void }) {
  const consume = useConsumeCredit(studentId);
  const adjust = useAdjustCredits(studentId);
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: creditUse,
    toBody: (values) => values,
    draft: `uso.${studentId}`,
  });

  const undo = () =>
    attempt(() => adjust.mutateAsync({ quantidade: 1, motivo: 'Baixa desfeita' }), 'Erro ao desfazer');

  const save = async (body: CreditUse) => {
    const { saldo } = await consume.mutateAsync(body);
    onDone();
    toast.success('Baixa registrada', {
      description: `Saldo: ${plural(saldo, 'crédito', 'créditos')}.`,
      undo,
      undone: 'Baixa desfeita',
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save })}>
      <TextInput
        data-autofocus
        label="Motivo"
        placeholder="Ex.: sessão fora da agenda"
        description="Para sessões da agenda, marque a sessão como feita: o crédito é descontado na hora."
        {...form.getInputProps('motivo')}
      />
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Dar baixa em 1 crédito
        </Button>
      </SheetActions>
    </FormStack>
  );
}
