import { Button, TextInput } from '@mantine/core';
import {
  chargeChanges,
  type ChargeChanges,
  type ChargeDetail,
} from '../../../../backend/modules/charges/charges.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useChangeCharge } from './charges.queries.js';

export function ChangeForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const change = useChangeCharge(charge.id);
  const { descricao, valor, vencimento } = charge;
  const form = useBodyForm({
    initialValues: { descricao: descricao ?? '', valor: formatAmount(valor), vencimento },
    schema: chargeChanges,
    toBody: ({ valor: typed, ...values }): unknown => ({ ...values, valor: amountOf(typed) }),
    onlyChanges: true,
  });

  const save = async (body: ChargeChanges) => {
    await change.mutateAsync(body);
    onDone();
    const before = {
      ...(body.descricao !== undefined && descricao && { descricao }),
      ...(body.valor !== undefined && { valor }),
      ...(body.vencimento !== undefined && { vencimento }),
    };
    toast.success(
      'Cobrança atualizada',
      takenBack(() => change.mutateAsync({ ...before, se_ainda: body })),
    );
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao alterar a cobrança' })}>
      <TextInput label="Descrição" autoComplete="off" {...form.getInputProps('descricao')} />
      <FieldPair>
        <MoneyField label="Valor (R$)" disabled={charge.pago > 0} {...form.getInputProps('valor')} />
        <DateField label="Vencimento" {...form.getInputProps('vencimento')} />
      </FieldPair>
      <SheetActions onBack={onDone}>
        <Button type="submit" loading={form.submitting}>
          Salvar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
