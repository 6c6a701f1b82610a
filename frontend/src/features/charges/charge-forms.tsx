import { NativeSelect, TextInput } from '@mantine/core';
import {
  type ChargeDetail,
  newPayment,
  type NewPayment,
  chargeChanges,
  type ChargeChanges,
  promise,
  type Promised,
  type ChargePayment,
  refund,
  type Refund,
} from '../../../../backend/modules/charges/charges.api.js';
import { owedOn, partsOf, sumInWords } from '../../../../backend/modules/charges/charge-terms.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetForm } from '../../ui/sheet.js';
import { FAILURE, useChargePayment } from './use-charge-payment.js';
import { takenBack, toast } from '../../ui/toast.js';
import { formatDate } from '../../lib/dates.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { numberOf } from '../../lib/number.js';

interface RefundFormProps {
  charge: ChargeDetail;
  payment: ChargePayment;
  onDone: () => void;
}

/** "Devolver ao aluno": amount of the refund, credits that are taken for it, and reason. */
export function RefundForm({ charge, payment, onDone }: RefundFormProps) {
  const send = useSend('POST /charges/:id/payments/:payment/refund', charge.id, payment.id);
  const form = useBodyForm({
    initialValues: {
      valor: formatAmount(charge.devolver > 0 ? Math.min(charge.devolver, payment.valor) : payment.valor),
      creditos: String(charge.creditos),
      motivo: charge.devolver > 0 ? 'Reserva cancelada' : '',
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
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao registrar a devolução"
      submit="Registrar devolução"
      onBack={onDone}
    >
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
      <Quiet size="xs">
        Registre só o que você já devolveu ou vai devolver: uma devolução não pode ser desfeita.
      </Quiet>
    </SheetForm>
  );
}

/** A promise to pay on a day, until which the student is not reminded. An empty date removes it. */
export function PromiseForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const today = useToday();
  const { mutateAsync } = useSend('PUT /charges/:id/promise', charge.id);
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
    <SheetForm form={form} save={save} failure="Erro ao anotar a promessa" submit="Salvar" onBack={onDone}>
      <DateField
        label="O aluno prometeu pagar em"
        description="Deixe em branco para remover a promessa."
        {...form.getInputProps('dia')}
      />
    </SheetForm>
  );
}

export function ChangeForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const change = useSend('PATCH /charges/:id', charge.id);
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
    <SheetForm form={form} save={save} failure="Erro ao alterar a cobrança" submit="Salvar" onBack={onDone}>
      <TextInput label="Descrição" autoComplete="off" {...form.getInputProps('descricao')} />
      <FieldPair>
        <MoneyField label="Valor (R$)" disabled={charge.pago > 0} {...form.getInputProps('valor')} />
        <DateField label="Vencimento" {...form.getInputProps('vencimento')} />
      </FieldPair>
    </SheetForm>
  );
}

/** A payment with another amount, method or day; the amount may be a part. */
export function PayForm({ charge, onDone }: { charge: ChargeDetail; onDone: () => void }) {
  const today = useToday();
  const payment = useChargePayment(charge);
  const form = useBodyForm({
    initialValues: {
      valor: formatAmount(charge.pedido),
      metodo_pagamento: payment.method,
      data: today,
    },
    schema: newPayment,
    toBody: ({ valor, ...values }): unknown => ({ ...values, valor: amountOf(valor) }),
  });
  const paid = amountOf(form.values.valor);
  const owed = owedOn(charge, form.values.data || today);
  const after = typeof paid === 'number' ? partsOf(paid, charge.falta, owed) : undefined;
  const rest = after?.falta ?? 0;
  const propose = (day: string) => {
    const proposed = amountOf(form.values.valor) === owed.total;
    form.setFieldValue('data', day);
    if (proposed && day) form.setFieldValue('valor', formatAmount(owedOn(charge, day).total));
  };
  const save = async (body: NewPayment) => {
    await payment.save(body);
    onDone();
  };

  return (
    <SheetForm
      form={form}
      save={save}
      failure={FAILURE}
      submit={rest > 0 ? 'Registrar pagamento' : 'Marcar como paga'}
      onBack={onDone}
    >
      <MoneyField
        data-autofocus
        label="Valor recebido (R$)"
        description={
          rest > 0 ? `Continuam em aberto ${formatMoney(rest)}.` : sumInWords(charge.falta, owed) || undefined
        }
        {...form.getInputProps('valor')}
      />
      <FieldPair>
        <NativeSelect
          label="Meio de Pagamento"
          data={Object.entries(methodNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
        <DateField label="Data" max={today} {...form.getInputProps('data')} onChange={propose} />
      </FieldPair>
    </SheetForm>
  );
}
