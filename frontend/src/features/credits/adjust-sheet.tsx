import { plural } from '../../../../backend/platform/plural.api.js';
import { SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { creditAdjustment, type CreditAdjustment } from '../../../../backend/modules/credits/credits.api.js';
import { useBodyForm } from '../../lib/form.js';
import { numberOf } from '../../lib/number.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useAdjustCredits } from './credits.queries.js';

interface AdjustSheetProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

export function AdjustSheet({ studentId, opened, onClose }: AdjustSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Ajustar créditos" beginsAtField="typed" withoutAddress>
      <AdjustForm studentId={studentId} onDone={onClose} />
    </Sheet>
  );
}

function AdjustForm({ studentId, onDone }: { studentId: string; onDone: () => void }) {
  const { mutateAsync } = useAdjustCredits(studentId);
  const form = useBodyForm({
    initialValues: { sentido: 'mais', quantidade: '1', motivo: '' },
    schema: creditAdjustment,
    toBody: ({ sentido, quantidade, motivo }) => {
      const typed = numberOf(quantidade);
      return { quantidade: typed === undefined || sentido === 'mais' ? typed : -typed, motivo };
    },
    // No sign is typed, because it is chosen in another field.
    check: ({ quantidade }) =>
      (numberOf(quantidade) ?? 0) < 0 ? { quantidade: 'Quantidade deve ser maior que zero' } : {},
    draft: `ajuste.${studentId}`,
  });

  const undo = ({ quantidade, motivo }: CreditAdjustment) =>
    attempt(
      () => mutateAsync({ quantidade: -quantidade, motivo: `Ajuste desfeito: ${motivo}`.slice(0, 300) }),
      'Erro ao desfazer o ajuste',
    );

  const save = async (body: CreditAdjustment) => {
    const { saldo } = await mutateAsync(body);
    onDone();
    toast.success('Saldo ajustado', {
      description: `Saldo: ${plural(saldo, 'crédito', 'créditos')}.`,
      undo: () => undo(body),
      undone: 'Ajuste desfeito',
    });
  };

  return (
    <SheetForm form={form} save={save} failure="Erro ao ajustar créditos" submit="Ajustar saldo">
      <SegmentedControl
        fullWidth
        aria-label="Sentido do ajuste"
        data={[
          { value: 'mais', label: 'Adicionar' },
          { value: 'menos', label: 'Remover' },
        ]}
        {...form.getInputProps('sentido')}
      />
      <TextInput label="Quantidade" inputMode="numeric" {...form.getInputProps('quantidade')} />
      <TextInput label="Motivo" placeholder="Ex.: cortesia, correção" {...form.getInputProps('motivo')} />
    </SheetForm>
  );
}
