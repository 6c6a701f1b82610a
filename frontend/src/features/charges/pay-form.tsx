import { plural } from '../../../../backend/platform/plural.api.js';
import { Button, NativeSelect } from '@mantine/core';
import {
  type ChargeDetail,
  newPayment,
  type NewPayment,
} from '../../../../backend/modules/charges/charges.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { useToday } from '../../lib/zone.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { attempt, orAnyway, toast } from '../../ui/toast.js';
import { usePayCharge, useReversePayment } from './charges.queries.js';

const FAILURE = 'Erro ao registrar o pagamento';

/** "Marcar como paga": payment method, date and amount, which may be a part. */
export function PayForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const today = useToday();
  const pay = usePayCharge(charge.id);
  const reverse = useReversePayment(charge.id);
  const form = useBodyForm({
    initialValues: { valor: formatAmount(charge.falta), metodo_pagamento: 'pix', data: today },
    schema: newPayment,
    toBody: ({ valor, ...values }): unknown => ({ ...values, valor: amountOf(valor) }),
  });
  const paid = amountOf(form.values.valor);
  const rest = typeof paid === 'number' ? charge.falta - paid : 0;

  const record = async (body: NewPayment) => {
    const { payment_id, quitada, creditos } = await pay.mutateAsync(body);
    onDone();
    const rests = charge.falta - body.valor;
    toast.success(quitada ? 'Cobrança paga' : 'Pagamento registrado', {
      description: quitada
        ? creditos > 0
          ? `${formatMoney(body.valor)} recebidos e ${plural(creditos, 'crédito adicionado', 'créditos adicionados')}.`
          : `${formatMoney(body.valor)} recebidos.`
        : `Faltam ${formatMoney(rests)}.`,
      undo: () => attempt(() => reverse.mutateAsync(payment_id), 'Erro ao desfazer'),
      undone: 'Pagamento desfeito',
    });
  };

  const save = (body: NewPayment) =>
    orAnyway((anyway) => record(anyway ? { ...body, mesmo_assim: true } : body), {
      ...PIX_TOLD,
      failure: FAILURE,
    });

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
      <SheetActions>
        <Button variant="default" onClick={onDone}>
          Voltar
        </Button>
        <Button type="submit" loading={form.submitting}>
          Marcar como paga
        </Button>
      </SheetActions>
    </FormStack>
  );
}
