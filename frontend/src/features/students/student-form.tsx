import { NativeSelect, Text, TextInput } from '@mantine/core';
import type * as z from 'zod/mini';
import { DUE_DAY_HINT } from '../../../../backend/modules/plans/monthly-terms.api.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { useBodyForm } from '../../lib/form.js';
import { formatMoney } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { useToday } from '../../lib/zone.js';
import { FirstMonthField, firstMonth } from '../../parts/first-month.js';
import { useBilledPlan, usePlanChoices } from '../../parts/plan-choices.js';
import type { ChoiceFieldProps } from '../../ui/choice.js';
import { DateField } from '../../ui/date-field.js';
import { CpfField, DateTextField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FieldPair, FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { studentDraft } from '../../parts/pending-student.js';
import classes from './students.module.css';

interface StudentFormProps<Schema extends z.ZodMiniType> extends RecordForm<z.output<Schema>> {
  schema: Schema;
  student?: KnownStudent;
  /** A new student's name that was typed elsewhere. Then there is no draft, which could be of another student. */
  begunAs?: string;
}

/** The usual due day. */
const DUE_DAY = 5;

/** The form to register or edit a student. A monthly plan that is chosen asks for its agreement. */
export function StudentForm<Schema extends z.ZodMiniType>(props: StudentFormProps<Schema>) {
  const { schema, student, begunAs } = props;
  const billedPlan = useBilledPlan();
  const today = useToday();
  const agreed = student?.mensalidade;
  /** The plan whose price is to be agreed on; null where none has to be. */
  const toAgree = (planId: string | null) => {
    const isKnown = planId === (student?.plano_id ?? null) || planId === agreed?.plano_id;
    const plan = isKnown ? null : billedPlan(planId);
    return plan && plan.valor > 0 ? plan : null;
  };
  const hasOneNumber = student !== undefined && (student.whatsapp ?? student.telefone) === student.telefone;
  const form = useBodyForm({
    initialValues: {
      nome: student?.nome ?? begunAs ?? '',
      whatsapp: student ? formatPhone(student.whatsapp ?? student.telefone ?? '') : '',
      email: student?.email ?? '',
      plano_id: student?.plano_id ?? null,
      mensalidade: { desde: today, vence_dia: String(agreed?.vence_dia ?? DUE_DAY), primeiro: false },
      observacoes: student?.observacoes ?? '',
      cpf: student?.cpf ?? '',
      nascimento: student?.nascimento ?? '',
      emergencia_nome: student?.emergencia_nome ?? '',
      emergencia_telefone: formatPhone(student?.emergencia_telefone ?? ''),
      emergencia_relacao: student?.emergencia_relacao ?? '',
      responsavel_nome: student?.responsavel_nome ?? '',
      responsavel_telefone: formatPhone(student?.responsavel_telefone ?? ''),
    },
    schema,
    toBody: ({ nome, whatsapp, email, plano_id, mensalidade, observacoes, ...details }) => ({
      nome,
      whatsapp,
      ...(hasOneNumber && { telefone: whatsapp }),
      email: email.trim() || null,
      plano_id,
      ...(toAgree(plano_id) && {
        mensalidade: {
          valor: toAgree(plano_id)?.valor,
          desde: mensalidade.desde,
          ate: null,
          vence_dia: numberOf(mensalidade.vence_dia),
          ...(mensalidade.primeiro && {
            proporcional: firstMonth(toAgree(plano_id), mensalidade.desde, today)?.valor,
          }),
        },
      }),
      observacoes: observacoes || null,
      ...(student &&
        Object.fromEntries(Object.entries(details).map(([name, typed]) => [name, typed || null]))),
    }),
    draft: begunAs === undefined ? studentDraft(student?.id ?? 'novo') : undefined,
    onlyChanges: student !== undefined,
  });

  const plan = toAgree(form.values.plano_id);
  const part = firstMonth(plan, form.values.mensalidade.desde, today);
  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput label="Nome completo *" autoComplete="off" {...form.getInputProps('nome')} />
      <PhoneField label="WhatsApp *" {...form.getInputProps('whatsapp')} />
      <PlanField label="Plano" {...form.getInputProps('plano_id')} />
      {plan && (
        <>
          <FieldPair>
            <DateField label="Mensalidade desde *" {...form.getInputProps('mensalidade.desde')} />
            <TextInput
              label="Dia do vencimento *"
              description={DUE_DAY_HINT}
              inputMode="numeric"
              {...form.getInputProps('mensalidade.vence_dia')}
            />
          </FieldPair>
          {part && (
            <FirstMonthField
              share={part}
              {...form.getInputProps('mensalidade.primeiro', { type: 'checkbox' })}
            />
          )}
          <Text size="sm" c="dimmed">
            Mensalidade de {formatMoney(plan.valor)}: a cobrança sai sozinha {plan.em}, às 6:00.
          </Text>
        </>
      )}
      <PlanChangeNote student={student} planId={form.values.plano_id} isAgreed={plan !== null} />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <LongTextField label="Observações" minRows={3} maxRows={8} {...form.getInputProps('observacoes')} />
      {student && (
        <>
          <CpfField label="CPF" description="Vai no recibo do aluno." {...form.getInputProps('cpf')} />
          <DateTextField label="Data de nascimento" {...form.getInputProps('nascimento')} />
          <fieldset className={classes.person}>
            <legend>Contato de emergência</legend>
            <TextInput label="Nome" autoComplete="off" {...form.getInputProps('emergencia_nome')} />
            <PhoneField label="Telefone" {...form.getInputProps('emergencia_telefone')} />
            <TextInput
              label="Parentesco"
              placeholder="Ex.: mãe, marido"
              autoComplete="off"
              {...form.getInputProps('emergencia_relacao')}
            />
          </fieldset>
          <fieldset className={classes.person}>
            <legend>Responsável, se for menor de idade</legend>
            <TextInput label="Nome" autoComplete="off" {...form.getInputProps('responsavel_nome')} />
            <PhoneField label="Telefone" {...form.getInputProps('responsavel_telefone')} />
          </fieldset>
        </>
      )}
      <RecordButtons {...props} busy={form.submitting} />
    </FormStack>
  );
}

interface PlanChangeNoteProps {
  student: Pick<KnownStudent, 'plano_id' | 'creditos' | 'mensalidade'> | undefined;
  /** The chosen plan. */
  planId: string | null;
  /** Whether an agreement comes with it. */
  isAgreed: boolean;
}

/** Explains what happens to the remaining credits and to the agreement when another plan is saved. */
function PlanChangeNote({ student, planId, isAgreed }: PlanChangeNoteProps) {
  if (!student?.plano_id || student.plano_id === planId) return null;
  const { creditos } = student;
  const left =
    creditos > 0
      ? `${creditos === 1 ? 'Resta' : 'Restam'} ${plural(creditos, 'crédito', 'créditos')} e nada se perde: ${creditos === 1 ? 'continua' : 'continuam'} com a mesma validade. `
      : '';
  const next = planId
    ? 'O plano novo vale a partir da próxima renovação.'
    : 'Sem plano, não há o que renovar.';
  return (
    <Text size="sm" c="dimmed" role="status">
      {left}
      {next} {monthlyInWords(student, isAgreed)}
    </Text>
  );
}

function monthlyInWords(
  { plano_id, mensalidade }: NonNullable<PlanChangeNoteProps['student']>,
  isAgreed: boolean,
): string {
  if (!mensalidade) return '';
  const price = formatMoney(mensalidade.valor);
  if (isAgreed) return `A mensalidade nova entra no lugar da de ${price} a partir da próxima cobrança.`;
  return mensalidade.plano_id === plano_id
    ? `A mensalidade de ${price} é encerrada; as cobranças já emitidas continuam.`
    : `A mensalidade de ${price} segue como está.`;
}

/** Chooses a plan: '{name} - {credits} créditos'. An inactive one is offered only while it is the choice. */
function PlanField({ value, onChange, ...props }: ChoiceFieldProps) {
  const { data } = usePlanChoices();
  const plans = (data?.items ?? []).filter((plan) => plan.is_active || plan.id === value);
  return (
    <NativeSelect
      {...props}
      value={value ?? ''}
      onChange={(event) => onChange?.(event.currentTarget.value || null)}
      data={[
        { value: '', label: 'Sem plano' },
        ...plans.map(({ id, nome, creditos }) => ({
          value: id,
          label: `${nome} - ${plural(creditos, 'crédito', 'créditos')}`,
        })),
      ]}
    />
  );
}
