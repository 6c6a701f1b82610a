import { Button, TextInput } from '@mantine/core';
import {
  newCreditTransfer,
  type NewCreditTransfer,
} from '../../../../backend/modules/credits/credits.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useBodyForm } from '../../lib/form.js';
import { numberOf } from '../../lib/number.js';
import { StudentField } from '../../parts/student-field.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useTransferCredits, useUndoTransfer } from './credits.queries.js';

interface TransferSheetProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

/** Transfers some of a student's credits to another student. */
export function TransferSheet({ studentId, opened, onClose }: TransferSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Transferir créditos" beginsAtField="typed" withoutAddress>
      <TransferForm studentId={studentId} onDone={onClose} />
    </Sheet>
  );
}

interface TransferFormProps {
  studentId: string;
  onDone: () => void;
}

function TransferForm({ studentId, onDone }: TransferFormProps) {
  const { mutateAsync } = useTransferCredits(studentId);
  const undo = useUndoTransfer();
  const form = useBodyForm({
    initialValues: { para: null as string | null, quantidade: '1', motivo: '' },
    schema: newCreditTransfer,
    toBody: ({ para, quantidade, motivo }) => ({
      para: para ?? undefined,
      quantidade: numberOf(quantidade),
      motivo,
    }),
    check: ({ para }) => (para === null ? { para: 'Escolha o aluno' } : {}),
  });
  const save = async (body: NewCreditTransfer) => {
    const { id, saldo } = await mutateAsync(body);
    onDone();
    toast.success('Créditos transferidos', {
      description: `Saldo: ${plural(saldo, 'crédito', 'créditos')}.`,
      undo: () => attempt(() => undo.mutateAsync(id), 'Erro ao desfazer a transferência'),
      undone: 'Transferência desfeita',
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao transferir créditos' })}>
      <StudentField label="Para qual aluno" {...form.getInputProps('para')} />
      <TextInput label="Quantidade" inputMode="numeric" {...form.getInputProps('quantidade')} />
      <TextInput label="Motivo" placeholder="Ex.: mesma família" {...form.getInputProps('motivo')} />
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Transferir
        </Button>
      </SheetActions>
    </FormStack>
  );
}
