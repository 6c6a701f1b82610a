import { Button, NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { newPayment, type NewPayment } from '../../../../backend/modules/charges/charges.api.js';
import type { RenewalState } from '../../../../backend/modules/charges/renewals.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { chargeAddress } from '../../lib/charge-address.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { dayOf, dueDay, formatDay } from '../../lib/dates.js';
import { useRenewalState } from '../../lib/renewal-state.js';
import { useToday, useZone } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { SheetActions } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { attempt, orAnyway, toast } from '../../ui/toast.js';
import { WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import classes from './credits.module.css';
import {
  type RenewedPlan,
  type Renewal,
  useUndoPaidRenewal,
  useRenewCredits,
  useUndoRenewal,
} from './credits.queries.js';

type Way = 'pagar' | 'cobrar' | 'renovar';

/** The way of the last renewal on this device, which is proposed; the payment before there was one. */
const LAST = 'rende.renovar';
const lastOf = (plan: RenewedPlan) =>
  plan.valor === 0 ? 'renovar' : (localStorage.getItem(LAST) ?? 'pagar');
const note = (way: Way) => localStorage.setItem(LAST, way);

interface RenewOptionsProps {
  renewal: Renewal;
  onDone: () => void;
}

/**
 * Records the payment with the credits, issues a charge that grants them once it is paid, or only grants them. Begins with
 * the form of the payment unless another was the last way.
 */
export default function RenewOptions({ renewal, onDone }: RenewOptionsProps) {
  const { studentId, plan } = renewal;
  const [paid, setPaid] = useState(lastOf(plan) === 'pagar');
  const [zone, today] = [useZone(), useToday()];
  const { data: state, isLoading } = useRenewalState(studentId);
  const open = openOf(state, plan.id);
  const ofPlan = state?.esperando.filter(({ plano_id }) => plano_id === plan.id);
  const waiting = waitingOf(state, plan.id);
  const { renew, busy } = useRenewal(renewal, ofPlan?.length);
  const words = (
    <p>
      {plan.nome}: {plural(plan.creditos, 'crédito', 'créditos')}
      {plan.valor > 0 && ` por ${formatMoney(plan.valor)}`}.
    </p>
  );
  const unpaid =
    waiting &&
    `A renovação de ${formatDay(dayOf(waiting.em, zone), today)} ainda não tem pagamento: o pagamento ou a cobrança é dela, sem adicionar créditos de novo.`;
  // The amount that is filled in depends on the open charge.
  if (paid && isLoading) return <Skeletons count={2} />;
  if (paid)
    return (
      <PaidForm renewal={renewal} onDone={onDone} onBack={() => setPaid(false)}>
        <div className={classes.renewal}>
          {words}
          {!open && unpaid && <p className={classes.hint}>{unpaid}</p>}
        </div>
      </PaidForm>
    );
  const look = (way: Way) => (lastOf(plan) === way ? { 'data-autofocus': true } : { variant: 'light' });
  return (
    <div className={classes.renewal}>
      {words}
      {plan.valor > 0 && (
        <>
          <Button
            {...look('pagar')}
            leftSection={<Icon name="check" />}
            onClick={() => {
              note('pagar');
              setPaid(true);
            }}
          >
            Registrar pagamento
          </Button>
          <Button
            {...look('cobrar')}
            component={Link}
            to={
              open ? chargeAddress(open.id) : `/cobrancas?novo=cobranca&aluno=${studentId}&plano=${plan.id}`
            }
            leftSection={<Icon name={open ? 'wallet' : 'link'} size={18} />}
            onClick={() => note('cobrar')}
          >
            {open ? 'Ver cobrança' : 'Emitir cobrança'}
          </Button>
        </>
      )}
      <Button
        {...look('renovar')}
        loading={busy}
        leftSection={<Icon name="renew" size={18} />}
        onClick={() => {
          note('renovar');
          renew();
          onDone();
        }}
      >
        Só renovar
      </Button>
      {plan.valor > 0 && (
        <p className={classes.hint}>
          {open
            ? `Já há uma cobrança deste plano em aberto (${formatMoney(open.falta)}, ${dueDay(open.vencimento, today)}): registre o pagamento nessa cobrança.`
            : (unpaid ?? 'Com a cobrança, os créditos entram quando ela for paga.')}
        </p>
      )}
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

/** The first renewal of the plan that neither a payment nor a charge belongs to. */
const waitingOf = (state: RenewalState | undefined, planId: string) =>
  state?.esperando.find(({ plano_id, cobranca }) => plano_id === planId && cobranca === null);

const methods = [
  { value: 'pix', label: 'Pix' },
  { value: 'cartao_credito', label: 'Cartão' },
  { value: 'dinheiro', label: 'Dinheiro' },
];

const FAILURE = 'Erro ao registrar o pagamento';

/** Form for a renewal that is already paid: records receita and credits together. */
function PaidForm({
  renewal: { studentId, studentName, plan },
  onDone,
  onBack,
  children,
}: RenewOptionsProps & { onBack: () => void; children: ReactNode }) {
  const today = useToday();
  const record = useSend('POST /students/:id/credits/renew/payment', studentId);
  const undo = useUndoPaidRenewal();
  const state = useRenewalState(studentId).data;
  const open = openOf(state, plan.id);
  const due = open?.falta ?? plan.valor;
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
      {children}
      <MoneyField
        data-autofocus
        label="Valor recebido (R$)"
        description={open && 'Falta pagar desta cobrança em aberto.'}
        {...form.getInputProps('valor')}
      />
      <FieldPair>
        <NativeSelect label="Meio de Pagamento" data={methods} {...form.getInputProps('metodo_pagamento')} />
        <DateField label="Data" max={today} {...form.getInputProps('data')} />
      </FieldPair>
      <SheetActions>
        <Button variant="default" onClick={onBack}>
          Outra forma
        </Button>
        <Button type="submit" loading={form.submitting}>
          {open || waitingOf(state, plan.id) ? 'Registrar pagamento' : 'Registrar e renovar'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}

/** Grants the plan's credits before they are paid. `esperando`: how many of its renewals without payment were shown, if known. */
function useRenewal(renewal: Renewal, esperando: number | undefined) {
  const { studentId, studentName, plan } = renewal;
  const { mutateAsync, isPending } = useRenewCredits(renewal);
  const takeBack = useUndoRenewal(studentId);

  const undo = (lotId: string | null) =>
    attempt(async () => {
      // If the renewal is still in the outbox, remove it from there.
      if (await withdraw(studentId)) return;
      if (lotId === null) throw new Error('Ela já foi enviada. Desfaça na página do aluno, em Créditos.');
      await takeBack.mutateAsync(lotId);
    }, 'Erro ao desfazer a renovação');

  const renew = () =>
    void attempt(async () => {
      const answer = await mutateAsync(esperando === undefined ? undefined : { esperando });
      toast.success('Plano renovado', {
        description:
          'queued' in answer
            ? WILL_BE_SENT
            : `${studentName} recebeu ${plural(plan.creditos, 'crédito', 'créditos')} e agora tem ${answer.saldo}. ${answer.charge_id === null ? 'Ainda sem pagamento.' : 'A cobrança em aberto é desta renovação.'}`,
        undo: () => undo('queued' in answer ? null : answer.lot_id),
        undone: 'Renovação desfeita',
      });
    }, 'Erro ao renovar');

  return { renew, busy: isPending };
}
