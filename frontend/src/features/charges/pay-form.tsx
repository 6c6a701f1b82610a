import { Button, NativeSelect } from '@mantine/core';
import {
  type ChargeDetail,
  newPayment,
  type NewPayment,
} from '../../../../backend/modules/charges/charges.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { FAILURE, useChargePayment } from './use-charge-payment.js';

/** A payment with another amount, method or day; the amount may be a part. */
export function PayForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const today = useToday();
  const payment = useChargePayment(charge);
  const form = useBodyForm({
    initialValues: {
      valor: formatAmount(charge.falta),
      metodo_pagamento: payment.method,
      data: today,
    },
    schema: newPayment,
    toBody: ({ valor, ...values }): unknown => ({ ...values, valor: amountOf(valor) }),
  });
  const paid = amountOf(form.values.valor);
  const rest = typeof paid === 'number' ? charge.falta - paid : 0;
  const save = async (body: NewPayment) => {
    await payment.save(body);
    onDone();
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: FAILURE })}>
      <MoneyField
        data-autofocus
        label="Valor recebido (R$)"
        description={rest > 0 ? `Continuam em aberto ${formatMoney(rest)}.` : undefined}
        {...form.getInputProps('valor')}
      />
      <FieldPair>
        <NativeSelect
          label="Meio de Pagamento"
          data={Object.entries(methodNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
        <DateField label="Data" max={today} {...form.getInputProps('data')} />
      </FieldPair>
      <SheetActions onBack={onDone}>
        <Button type="submit" loading={form.submitting}>
          {rest > 0 ? 'Registrar pagamento' : 'Marcar como paga'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}
