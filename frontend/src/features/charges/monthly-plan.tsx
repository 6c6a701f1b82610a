import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ShownMonthlyPlan } from '../../../../backend/modules/charges/monthly-plans.api.js';
import {
  DUE_DAY_HINT,
  dueDayInWords,
  monthlyChange,
  type MonthlyChange,
} from '../../../../backend/modules/plans/monthly-terms.api.js';
import { periodOf, periods } from '../../../../backend/modules/plans/plans.api.js';
import { useSend } from '../../lib/command.js';
import { formatDate, formatMonth, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { useToday } from '../../lib/zone.js';
import { FirstMonthField, firstMonth } from '../../parts/first-month.js';
import { useBilledPlan, usePlanChoices } from '../../parts/plan-choices.js';
import { Why } from '../../parts/why.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { Facts } from '../../ui/facts.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import type { ChargedPlan } from './charge-form.js';
import classes from './charges.module.css';
import { useMonthlyPlan } from './charges.queries.js';

type Agreed = ShownMonthlyPlan['mensalidade'];

function useMonthlyChanges(studentId: string) {
  const set = useSend('PUT /students/:id/monthly-plan', studentId);
  const end = useSend('DELETE /students/:id/monthly-plan', studentId);
  return { set, end };
}

interface MonthlyPlanProps {
  studentId: string;
  planId: string | null;
}

/** The plans that can be agreed on, with the student's own even if it is no longer offered; undefined while loading. */
const useMonthlyPlans = (own: string | null) =>
  usePlanChoices().data?.items.filter(
    ({ id, is_active, tipo }) => (is_active || id === own) && tipo !== 'pacote',
  );

/** The student's monthly plan, with buttons to begin, change and end it. */
export function MonthlyPlan({ studentId, planId }: MonthlyPlanProps) {
  const [opened, setOpened] = useState(false);
  const read = useMonthlyPlan(studentId);
  const agreed = read.data?.mensalidade ?? null;
  const close = () => setOpened(false);
  return (
    <Section
      title="Mensalidade"
      action={
        <Button size="sm" variant="subtle" onClick={() => setOpened(true)}>
          {agreed ? 'Alterar' : 'Ativar'}
        </Button>
      }
    >
      <Card>
        <Async of={read} skeleton={<Skeletons count={1} height={72} />}>
          {({ mensalidade }) =>
            mensalidade ? (
              <Shown agreed={mensalidade} studentId={studentId} />
            ) : (
              <Quiet size="xs">
                Ative para a cobrança sair sozinha no dia 1 de cada período do plano, às 6:00.
              </Quiet>
            )
          }
        </Async>
      </Card>
      <MonthlySheet studentId={studentId} planId={planId} agreed={agreed} opened={opened} onClose={close} />
    </Section>
  );
}

/**
 * Tells that the student's monthly plan has no agreement, with a button to make it: students from before agreements came with
 * their plans may have none.
 */
export function NotAgreed({ student }: { student: KnownStudent }) {
  const [opened, setOpened] = useState(false);
  const { id, plano_id, mensalidade, arquivado, esquecido } = student;
  const price = useBilledPlan()(plano_id)?.valor ?? 0;
  const isBilled = price === 0 || mensalidade !== null;
  if (isBilled || arquivado || esquecido) return null;
  return (
    <div className={classes.notAgreed}>
      <p>Plano sem mensalidade combinada</p>
      <Button size="sm" variant="default" onClick={() => setOpened(true)}>
        Combinar
      </Button>
      <MonthlySheet
        studentId={id}
        planId={plano_id}
        agreed={null}
        opened={opened}
        onClose={() => setOpened(false)}
      />
    </div>
  );
}

type MonthlySheetProps = MonthlyPlanProps & { agreed: Agreed; opened: boolean; onClose: () => void };

function MonthlySheet({ opened, onClose, ...props }: MonthlySheetProps) {
  const plans = useMonthlyPlans(props.planId);
  return (
    <Sheet opened={opened} onClose={onClose} title="Mensalidade" beginsAtField withoutAddress>
      {opened && plans && <MonthlyForm plans={plans} onDone={onClose} {...props} />}
    </Sheet>
  );
}

function Shown({ agreed, studentId }: { agreed: NonNullable<Agreed>; studentId: string }) {
  const { set, end } = useMonthlyChanges(studentId);
  const { plano_nome: _name, tipo: _kind, proximo_mes: _next, ...terms } = agreed;
  const stop = () =>
    attempt(async () => {
      await end.mutateAsync();
      toast.success('Mensalidade encerrada', {
        description: 'As cobranças já emitidas continuam.',
        ...takenBack(() => set.mutateAsync({ ...terms, se_ainda: null }), 'Mensalidade reativada'),
      });
    }, 'Erro ao encerrar a mensalidade');
  return (
    <>
      <Facts
        of={[
          ['Plano', agreed.plano_nome],
          [
            'Valor combinado',
            `${formatMoney(agreed.valor)} ${(periodOf(agreed.tipo) ?? periods.mensal).por}`,
          ],
          ['Vencimento', `no ${dueDayInWords(agreed.vence_dia)}`],
          [
            'Próxima cobrança',
            agreed.proximo_mes === null
              ? 'Nenhuma'
              : `1 de ${formatMonth(monthOf(agreed.proximo_mes))}, às 6:00`,
          ],
          ['Desde', formatDate(agreed.desde)],
          ['Até', agreed.ate && formatDate(agreed.ate)],
        ]}
      />
      <Why of={`monthly:${studentId}`} />
      <Button size="sm" variant="subtle" color="gray" loading={end.isPending} onClick={() => void stop()}>
        Encerrar mensalidade
      </Button>
    </>
  );
}

interface MonthlyFormProps {
  studentId: string;
  agreed: Agreed;
  plans: readonly ChargedPlan[];
  planId: string | null;
  onDone: () => void;
}

function MonthlyForm({ studentId, agreed, plans: offered, planId, onDone }: MonthlyFormProps) {
  const today = useToday();
  const billedPlan = useBilledPlan();
  const partOf = (plan: string, desde: string, price: string) => {
    const billed = billedPlan(plan);
    const agreedOn = amountOf(price);
    // What began before is billed already.
    return billed && typeof agreedOn === 'number' && desde !== agreed?.desde
      ? firstMonth({ ...billed, valor: agreedOn }, desde, today)
      : null;
  };
  // The agreed plan can be kept, even if it is no longer offered.
  const isOffered = agreed === null || offered.some(({ id }) => id === agreed.plano_id);
  const plans = isOffered
    ? offered
    : [
        { id: agreed.plano_id, nome: agreed.plano_nome ?? 'Mensalidade', valor: agreed.valor, creditos: 0 },
        ...offered,
      ];
  const { set } = useMonthlyChanges(studentId);
  const first = plans.find(({ id }) => id === (agreed?.plano_id ?? planId));
  const valor = agreed?.valor ?? first?.valor;
  const form = useBodyForm({
    initialValues: {
      plano_id: first?.id ?? '',
      valor: valor ? formatAmount(valor) : '',
      desde: agreed?.desde ?? today,
      ate: agreed?.ate ?? '',
      vence_dia: String(agreed?.vence_dia ?? 5),
      primeiro: false,
    },
    schema: monthlyChange,
    toBody: ({ valor: typed, ate, vence_dia, primeiro, ...values }): unknown => ({
      ...values,
      proporcional: primeiro ? partOf(values.plano_id, values.desde, typed)?.valor : undefined,
      valor: amountOf(typed),
      ate: ate === '' ? null : ate,
      vence_dia: numberOf(vence_dia),
    }),
    check: ({ plano_id }) => ({ ...(!plano_id && { plano_id: 'Escolha o plano da mensalidade' }) }),
  });

  const choose = (id: string) => {
    form.setFieldValue('plano_id', id);
    const plan = plans.find((one) => one.id === id);
    if (plan) form.setFieldValue('valor', formatAmount(plan.valor));
  };
  const { plano_id, desde, valor: price } = form.values;
  const part = partOf(plano_id, desde, price);
  const save = async (body: MonthlyChange) => {
    await set.mutateAsync(body);
    onDone();
    toast.success(agreed ? 'Mensalidade alterada' : 'Mensalidade ativada', {
      description:
        body.proporcional === undefined
          ? 'Vale a partir da próxima cobrança.'
          : `Cobrança de ${formatMoney(body.proporcional)} emitida pelo primeiro mês.`,
    });
  };

  return (
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao salvar a mensalidade"
      submit={agreed ? 'Salvar' : 'Ativar mensalidade'}
    >
      <NativeSelect
        label="Plano"
        description={
          plans.length === 0 ? 'Cadastre antes um plano mensal, trimestral, semestral ou anual.' : undefined
        }
        {...form.getInputProps('plano_id')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: 'Selecione um plano' },
          ...plans.map(({ id, nome, valor: price }) => ({
            value: id,
            label: `${nome} - ${formatMoney(price)}`,
          })),
        ]}
      />
      <FieldPair>
        <MoneyField label="Valor combinado (R$)" {...form.getInputProps('valor')} />
        <TextInput
          label="Dia do vencimento"
          description={DUE_DAY_HINT}
          inputMode="numeric"
          {...form.getInputProps('vence_dia')}
        />
      </FieldPair>
      <FieldPair>
        <DateField label="Desde" {...form.getInputProps('desde')} />
        <DateField label="Até (opcional)" {...form.getInputProps('ate')} />
      </FieldPair>
      {part && <FirstMonthField share={part} {...form.getInputProps('primeiro', { type: 'checkbox' })} />}
      <Quiet size="xs">A cobrança sai sozinha {(billedPlan(plano_id) ?? periods.mensal).em}, às 6:00.</Quiet>
    </SheetForm>
  );
}
