import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { newPayment, type NewPayment } from '../../../../backend/modules/charges/charges.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './credits.module.css';
import { type PaidRenewal, usePaidRenewal, useUndoPaidRenewal } from './credits.queries.js';
import { useRenewal } from './use-renewal.js';

interface RenewOptionsProps {
  studentId: string;
  studentName: string;
  plan: PaidRenewal['plan'];
}

/** "Renovar e cobrar": only credits, a charge that grants them once it is paid, or a payment with the credits. */
export function RenewOptions(props: RenewOptionsProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button size="sm" variant="light" onClick={() => setOpened(true)}>
        Renovar e cobrar
      </Button>
      <Sheet opened={opened} onClose={close} title="Renovar plano" withoutAddress>
        <Options {...props} onDone={close} />
      </Sheet>
    </>
  );
}

function Options({ onDone, ...props }: RenewOptionsProps & { onDone: () => void }) {
  const { studentId, studentName, plan } = props;
  const [paid, setPaid] = useState(false);
  const { renew, busy } = useRenewal({ studentId, studentName, planCredits: plan.creditos });
  if (paid) return <PaidForm {...props} onDone={onDone} />;
  return (
    <div className={classes.renewal}>
      <p>
        {plan.nome}: {plural(plan.creditos, 'crédito', 'créditos')} por {formatMoney(plan.valor)}.
      </p>
      <Button onClick={() => setPaid(true)} leftSection={<Icon name="check" />}>
        Registrar pagamento
      </Button>
      <Button
        component={Link}
        to={`/cobrancas?novo=cobranca&aluno=${studentId}&plano=${plan.id}`}
        variant="light"
        leftSection={<Icon name="link" size={18} />}
      >
        Emitir cobrança
      </Button>
      <Button
        variant="default"
        loading={busy}
        onClick={() => {
          renew();
          onDone();
        }}
        leftSection={<Icon name="renew" size={18} />}
      >
        Só renovar
      </Button>
      <p className={classes.hint}>Com a cobrança, os créditos entram quando ela for paga.</p>
    </div>
  );
}

const methods = [
  { value: 'pix', label: 'Pix' },
  { value: 'cartao_credito', label: 'Cartão' },
  { value: 'dinheiro', label: 'Dinheiro' },
];

/** Form for a renewal that is already paid: records receita and credits together. */
function PaidForm({ studentId, studentName, plan, onDone }: RenewOptionsProps & { onDone: () => void }) {
  const today = useToday();
  const record = usePaidRenewal({ studentId, plan });
  const undo = useUndoPaidRenewal();
  const form = useBodyForm({
    initialValues: { valor: formatAmount(plan.valor), metodo_pagamento: 'pix', data: today },
    schema: newPayment,
    toBody: ({ valor, ...values }): unknown => ({ ...values, valor: amountOf(valor) }),
  });
  const save = async (body: NewPayment) => {
    const done = await record.mutateAsync(body);
    onDone();
    toast.success('Plano renovado', {
      description: `${formatMoney(body.valor)} recebidos. ${studentName} recebeu ${plural(plan.creditos, 'crédito', 'créditos')}.`,
      undo: () => attempt(() => undo.mutateAsync(done), 'Erro ao desfazer a renovação'),
      undone: 'Renovação desfeita',
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao registrar o pagamento' })}>
      <MoneyField data-autofocus label="Valor recebido (R$)" {...form.getInputProps('valor')} />
      <FieldPair>
        <NativeSelect label="Meio de Pagamento" data={methods} {...form.getInputProps('metodo_pagamento')} />
        <DateField label="Data" {...form.getInputProps('data')} />
      </FieldPair>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Registrar e renovar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
