import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { newPayment, type NewPayment } from '../../../../backend/modules/charges/charges.api.js';
import type { RenewalState } from '../../../../backend/modules/charges/renewals.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { dayOf, formatDay, whenDay } from '../../lib/dates.js';
import { useRenewalState } from '../../lib/renewal-state.js';
import { useToday, useZone } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, orAnyway, toast } from '../../ui/toast.js';
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
  const [zone, today] = [useZone(), useToday()];
  const state = useRenewalState(studentId).data;
  const open = openOf(state, plan.id);
  const waiting = state?.esperando.find(
    ({ plano_id, cobranca }) => plano_id === plan.id && cobranca === null,
  );
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
      <p className={classes.hint}>
        {waiting
          ? `A renovação de ${formatDay(dayOf(waiting.em, zone), today)} ainda não tem pagamento: o pagamento ou a cobrança é dela, sem adicionar créditos de novo.`
          : open
            ? `Já há uma cobrança deste plano em aberto: ${formatMoney(open.falta)}, vence ${whenDay(open.vencimento, today)}. O pagamento é dela.`
            : 'Com a cobrança, os créditos entram quando ela for paga.'}
      </p>
    </div>
  );
}

/** The open charge of the plan that is due first, which a payment pays. */
function openOf(state: RenewalState | undefined, planId: string) {
  const granted = state?.esperando.flatMap(({ plano_id, cobranca }) =>
    cobranca ? [{ ...cobranca, plano_id }] : [],
  );
  return [...(granted ?? []), ...(state?.cobrancas ?? [])]
    .filter(({ plano_id }) => plano_id === planId)
    .toSorted((one, other) => (one.vencimento < other.vencimento ? -1 : 1))[0];
}

const methods = [
  { value: 'pix', label: 'Pix' },
  { value: 'cartao_credito', label: 'Cartão' },
  { value: 'dinheiro', label: 'Dinheiro' },
];

const FAILURE = 'Erro ao registrar o pagamento';

/** Form for a renewal that is already paid: records receita and credits together. */
function PaidForm({ studentId, studentName, plan, onDone }: RenewOptionsProps & { onDone: () => void }) {
  const today = useToday();
  const record = usePaidRenewal(studentId);
  const undo = useUndoPaidRenewal();
  const due = openOf(useRenewalState(studentId).data, plan.id)?.falta ?? plan.valor;
  const form = useBodyForm({
    initialValues: { valor: formatAmount(due), metodo_pagamento: 'pix', data: today },
    schema: newPayment,
    toBody: ({ valor, ...values }): unknown => ({ ...values, valor: amountOf(valor) }),
  });
  const pay = async (body: NewPayment) => {
    const done = await record.mutateAsync(body);
    onDone();
    toast.success(done.creditos > 0 ? 'Plano renovado' : 'Pagamento registrado', {
      description: `${formatMoney(body.valor)} recebidos. ${
        done.creditos > 0
          ? `${studentName} recebeu ${plural(done.creditos, 'crédito', 'créditos')}.`
          : done.quitada
            ? 'Os créditos já tinham sido adicionados.'
            : 'A cobrança continua em aberto com o que falta.'
      }`,
      undo: () => attempt(() => undo.mutateAsync(done), 'Erro ao desfazer a renovação'),
      undone: done.creditos > 0 ? 'Renovação desfeita' : 'Pagamento desfeito',
    });
  };
  const save = (body: NewPayment) =>
    orAnyway((anyway) => pay(anyway ? { ...body, mesmo_assim: true } : body), {
      ...PIX_TOLD,
      failure: FAILURE,
    });
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: FAILURE })}>
      <MoneyField data-autofocus label="Valor recebido (R$)" {...form.getInputProps('valor')} />
      <FieldPair>
        <NativeSelect label="Meio de Pagamento" data={methods} {...form.getInputProps('metodo_pagamento')} />
        <DateField label="Data" max={today} {...form.getInputProps('data')} />
      </FieldPair>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Registrar e renovar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
