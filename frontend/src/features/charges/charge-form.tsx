import { plural } from '../../../../backend/platform/plural.api.js';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { DAYS_TO_PAY, newCharge, type NewCharge } from '../../../../backend/modules/charges/charges.api.js';
import { useSend } from '../../lib/command.js';
import { addDays, dayOf, formatDay, formatMonth, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { useToday, useZone } from '../../lib/zone.js';
import { StudentField } from '../../parts/student-field.js';
import { studentQuery } from '../../parts/students.queries.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { useMonthlyPlan } from './charges.queries.js';
import { useRenewalState } from '../../lib/renewal-state.js';

/** A plan that can be charged. */
export interface ChargedPlan {
  id: string;
  nome: string;
  valor: number;
  creditos: number;
}

const NO_PLAN = 'Você precisa selecionar um plano para gerar o link de pagamento.';

/** Choice for a charge without a plan. */
const OTHER = 'outro';

interface ChargeFormProps {
  /** Initial values: student, plan, the unpaid session, its amount. */
  begun: { student: string; plan: string; session: string | null; valor: number | null; descricao: string };
  plans: readonly ChargedPlan[];
  onIssued: (id: string) => void;
}

/** "Cobrança Online": form for a charge's student, purpose, amount and due date. */
export function ChargeForm({ begun, plans, onIssued }: ChargeFormProps) {
  const [zone, today] = [useZone(), useToday()];
  const issue = useSend('POST /charges');
  const first = plans.find(({ id }) => id === begun.plan);
  const valor = begun.valor ?? first?.valor;
  const form = useBodyForm({
    initialValues: {
      student_id: begun.student,
      plano_id: begun.session ? OTHER : (first?.id ?? ''),
      descricao: begun.descricao || (first?.nome ?? ''),
      valor: valor ? formatAmount(valor) : '',
      vencimento: addDays(today, DAYS_TO_PAY),
      concede: true,
    },
    schema: newCharge,
    toBody: ({ plano_id, valor: typed, concede, ...values }): unknown => ({
      ...values,
      plano_id: plano_id === OTHER || plano_id === '' ? null : plano_id,
      session_id: begun.session,
      creditos_ja_concedidos: !concede,
      valor: amountOf(typed),
    }),
    check: ({ student_id, plano_id }) => ({
      ...(!student_id && { student_id: 'Escolha o aluno' }),
      ...(!plano_id && { plano_id: NO_PLAN }),
    }),
    draft: `cobranca.${begun.session ?? (begun.student || 'nova')}`,
  });

  const choose = (id: string) => {
    form.setFieldValue('plano_id', id);
    const plan = plans.find((one) => one.id === id);
    if (plan) form.setValues({ descricao: plan.nome, valor: formatAmount(plan.valor) });
  };

  const { data: student } = useQuery({
    ...studentQuery(form.values.student_id),
    enabled: form.values.student_id !== '',
  });
  /** Id of the plan that was filled in for a student, until another one is chosen. */
  const proposed = useRef('');
  const propose = useEffectEvent(() => {
    const { plano_id, descricao, valor: typed } = form.values;
    const isTyped = plano_id === '' && (descricao !== '' || typed !== '');
    if (plano_id !== proposed.current || isTyped) return;
    // What is agreed for each month is charged by itself.
    const plan = student?.mensalidade ? undefined : plans.find(({ id }) => id === student?.plano?.id);
    proposed.current = plan?.id ?? '';
    form.setValues({
      plano_id: proposed.current,
      descricao: plan?.nome ?? '',
      valor: plan ? formatAmount(plan.valor) : '',
    });
  });
  const known = student?.id;
  useEffect(() => {
    if (known !== undefined) propose();
  }, [known]);

  const save = async (body: NewCharge) => {
    const { id } = await issue.mutateAsync(body);
    onIssued(id);
    toast.success('Link criado!', { description: `Cobrança de ${formatMoney(body.valor)}.` });
  };

  const chosen = plans.find(({ id }) => id === form.values.plano_id);
  const granted = useRenewalState(form.values.student_id).data?.esperando.find(
    ({ plano_id, cobranca }) => plano_id === form.values.plano_id && cobranca === null,
  );
  const agreed = useMonthlyPlan(form.values.student_id).data?.mensalidade;
  const nextMonth = agreed?.plano_id === form.values.plano_id ? agreed.proximo_mes : null;
  return (
    <FormStack
      form={form}
      onSubmit={(event) => {
        if (!form.values.plano_id) toast.error('Selecione um plano', { description: NO_PLAN });
        submitting(form, { save, failure: 'Erro ao gerar a cobrança' })(event);
      }}
    >
      <StudentField
        label="Aluno"
        value={form.values.student_id || null}
        onChange={(id) => form.setFieldValue('student_id', id ?? '')}
        error={form.errors.student_id}
        data-path="student_id"
      />
      {!begun.session && (
        <NativeSelect
          label="Plano"
          {...form.getInputProps('plano_id')}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            { value: '', label: 'Selecione um plano' },
            ...plans.map(({ id, nome, valor: price }) => ({
              value: id,
              label: `${nome} - ${formatMoney(price)}`,
            })),
            { value: OTHER, label: 'Outro valor, sem plano' },
          ]}
        />
      )}
      {nextMonth && (
        <Quiet size="xs">
          A mensalidade de {formatMonth(monthOf(nextMonth))} é cobrada sozinha no dia 1. Esta cobrança é à
          parte.
        </Quiet>
      )}
      <TextInput
        label="Descrição"
        placeholder="Ex.: Avaliação física"
        description="O aluno vê este texto na página de pagamento."
        autoComplete="off"
        {...form.getInputProps('descricao')}
      />
      <FieldPair>
        <MoneyField label="Valor (R$)" {...form.getInputProps('valor')} />
        <DateField label="Vencimento" {...form.getInputProps('vencimento')} />
      </FieldPair>
      {chosen && chosen.creditos > 0 && (
        <Checkbox
          label={`Adicionar ${plural(chosen.creditos, 'crédito', 'créditos')} quando for paga`}
          {...form.getInputProps('concede', { type: 'checkbox' })}
          {...(granted
            ? {
                checked: false,
                disabled: true,
                description: `Esta cobrança é da renovação de ${formatDay(dayOf(granted.em, zone), today)}, que já adicionou ${plural(granted.quantidade, 'crédito', 'créditos')} e ainda não tem pagamento.`,
              }
            : { description: 'Desmarque se os créditos já foram adicionados.' })}
        />
      )}
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Gerar link de pagamento
        </Button>
      </SheetActions>
    </FormStack>
  );
}
