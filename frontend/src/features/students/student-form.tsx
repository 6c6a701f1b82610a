import { TextInput } from '@mantine/core';
import type * as z from 'zod/mini';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { useBodyForm } from '../../lib/form.js';
import { DateTextField, PhoneField } from '../../ui/fields.js';
import type { ChoiceField } from '../../ui/choice.js';
import { FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { PlanChangeNote } from './plan-change-note.js';
import { studentDraft } from './pending-student.js';
import { formatPhone } from './phone.js';
import classes from './students.module.css';

interface StudentFormProps<Schema extends z.ZodMiniType> extends RecordForm<z.output<Schema>> {
  schema: Schema;
  student?: KnownStudent;
  /** Chooses the plan; given by the page, since plans are another feature. */
  PlanField: ChoiceField;
  /** A new student's name that was typed elsewhere. Then there is no draft, which could be of another student. */
  begunAs?: string;
}

/** The form to register or edit a student. */
export function StudentForm<Schema extends z.ZodMiniType>(props: StudentFormProps<Schema>) {
  const { schema, student, PlanField, begunAs } = props;
  const hasOneNumber = student !== undefined && (student.whatsapp ?? student.telefone) === student.telefone;
  const form = useBodyForm({
    initialValues: {
      nome: student?.nome ?? begunAs ?? '',
      whatsapp: student ? formatPhone(student.whatsapp ?? student.telefone ?? '') : '',
      email: student?.email ?? '',
      plano_id: student?.plano_id ?? null,
      observacoes: student?.observacoes ?? '',
      nascimento: student?.nascimento ?? '',
      emergencia_nome: student?.emergencia_nome ?? '',
      emergencia_telefone: formatPhone(student?.emergencia_telefone ?? ''),
      emergencia_relacao: student?.emergencia_relacao ?? '',
      responsavel_nome: student?.responsavel_nome ?? '',
      responsavel_telefone: formatPhone(student?.responsavel_telefone ?? ''),
    },
    schema,
    toBody: ({ nome, whatsapp, email, plano_id, observacoes, ...details }) => ({
      nome,
      whatsapp,
      ...(hasOneNumber && { telefone: whatsapp }),
      email: email.trim() || null,
      plano_id,
      observacoes: observacoes || null,
      ...(student &&
        Object.fromEntries(Object.entries(details).map(([name, typed]) => [name, typed || null]))),
    }),
    draft: begunAs === undefined ? studentDraft(student?.id ?? 'novo') : undefined,
    onlyChanges: student !== undefined,
  });

  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput label="Nome completo *" autoComplete="off" {...form.getInputProps('nome')} />
      <PhoneField label="WhatsApp *" {...form.getInputProps('whatsapp')} />
      <PlanField label="Plano" {...form.getInputProps('plano_id')} />
      <PlanChangeNote student={student} planId={form.values.plano_id} />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <LongTextField label="Observações" minRows={3} maxRows={8} {...form.getInputProps('observacoes')} />
      {student && (
        <>
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
