import { Button, TextInput } from '@mantine/core';
import {
  type ChargeDetail,
  type ChargePayment,
  refund,
  type Refund,
} from '../../../../backend/modules/charges/charges.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { MoneyField } from '../../ui/fields.js';
import { FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import classes from './charges.module.css';
import { useRefundPayment } from './charges.queries.js';

interface RefundFormProps {
  charge: ChargeDetail;
  payment: ChargePayment;
  onDone: () => void;
}

/** "Devolver ao aluno": amount of the refund, credits that are taken for it, and reason. */
export function RefundForm({ charge, payment, onDone }: RefundFormProps) {
  const send = useRefundPayment(charge.id, payment.id);
  const form = useBodyForm({
    initialValues: {
      valor: formatAmount(payment.valor),
      creditos: String(charge.creditos),
      motivo: '',
    },
    schema: refund,
    toBody: ({ valor, creditos, motivo }): unknown => ({
      valor: amountOf(valor),
      valor_atual: payment.valor,
      creditos: numberOf(creditos) ?? 0,
      motivo,
    }),
  });
  const back = amountOf(form.values.valor);
  const rest = typeof back === 'number' ? payment.valor - back : 0;
  const save = async (body: Refund) => {
    await send.mutateAsync(body);
    onDone();
    toast.success('Devolução registrada', {
      description:
        body.creditos > 0
          ? `${formatMoney(body.valor)} devolvidos e ${plural(body.creditos, 'crédito removido', 'créditos removidos')}.`
          : `${formatMoney(body.valor)} devolvidos.`,
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao registrar a devolução' })}>
      <MoneyField
        data-autofocus
        label="Valor a devolver (R$)"
        description={
          rest > 0
            ? `A receita passa a ser de ${formatMoney(rest)}.`
            : 'A receita é estornada e sai do mês em que entrou.'
        }
        {...form.getInputProps('valor')}
      />
      {charge.creditos > 0 && (
        <TextInput
          label="Créditos a remover"
          inputMode="numeric"
          description="Os que o aluno já usou não voltam."
          {...form.getInputProps('creditos')}
        />
      )}
      <TextInput
        label="Motivo"
        placeholder="Ex.: mudou de cidade"
        autoComplete="off"
        {...form.getInputProps('motivo')}
      />
      <p className={classes.quiet}>
        Registre só o que você já devolveu ou vai devolver: uma devolução não pode ser desfeita.
      </p>
      <SheetActions onBack={onDone}>
        <Button type="submit" loading={form.submitting}>
          Registrar devolução
        </Button>
      </SheetActions>
    </FormStack>
  );
}
