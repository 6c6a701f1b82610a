import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { Link } from 'react-router-dom';
import type * as z from 'zod/mini';
import { periodOf, periods, type Plan } from '../../../../backend/modules/plans/plans.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, parseMoney } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { Money } from '../../ui/money.js';
import { LongTextField } from '../../ui/long-text-field.js';
import classes from './plans.module.css';

interface PlanFormProps<Schema extends z.ZodMiniType> extends RecordForm<z.output<Schema>> {
  schema: Schema;
  plan?: Plan;
}

export function PlanForm<Schema extends z.ZodMiniType>(props: PlanFormProps<Schema>) {
  const { schema, plan } = props;
  const form = useBodyForm({
    initialValues: {
      nome: plan?.nome ?? '',
      descricao: plan?.descricao ?? '',
      valor: plan ? formatAmount(plan.valor) : '',
      creditos: plan ? String(plan.creditos) : '',
      validade_dias: plan?.validade_dias ? String(plan.validade_dias) : '',
      tipo: plan?.tipo ?? 'pacote',
      is_active: plan?.is_active ?? true,
    },
    schema,
    toBody: ({ nome, descricao, valor, creditos, validade_dias, tipo, is_active }) => ({
      nome,
      descricao: descricao || null,
      valor: amountOf(valor),
      creditos: numberOf(creditos),
      validade_dias: numberOf(validade_dias) ?? null,
      tipo,
      ...(plan && { is_active }),
    }),
    draft: `plano.${plan?.id ?? 'novo'}`,
    onlyChanges: plan !== undefined,
  });
  const cents = parseMoney(form.values.valor);
  const credits = Number(form.values.creditos);
  const months = periodOf(form.values.tipo)?.meses ?? 0;

  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput
        label="Nome *"
        placeholder="Ex.: Mensal 8 sessões"
        autoComplete="off"
        {...form.getInputProps('nome')}
      />
      <FieldPair>
        <MoneyField label="Valor *" {...form.getInputProps('valor')} />
        <TextInput
          label="Créditos *"
          inputMode="numeric"
          placeholder="8"
          {...form.getInputProps('creditos')}
        />
      </FieldPair>
      {cents !== null && credits > 0 && (
        <p className={classes.perCredit}>
          <Money cents={Math.round(cents / credits)} /> por crédito
        </p>
      )}
      <FieldPair>
        <NativeSelect
          label="Tipo"
          description={months > 1 ? `Valor e créditos de ${months} meses.` : undefined}
          data={[
            { value: 'pacote', label: 'Pacote' },
            ...Object.entries(periods).map(([value, { nome }]) => ({ value, label: nome })),
          ]}
          {...form.getInputProps('tipo')}
        />
        <TextInput
          label="Validade em dias"
          inputMode="numeric"
          placeholder="Sem validade"
          {...form.getInputProps('validade_dias')}
        />
      </FieldPair>
      {plan && (
        <Button component={Link} to={`/financeiro/e-se?plano=${plan.id}`} variant="subtle" size="sm">
          E se custasse outro valor?
        </Button>
      )}
      <LongTextField label="Descrição" {...form.getInputProps('descricao')} />
      {plan && (
        <Switch
          label="Ativo"
          description="Planos inativos não aparecem para novos alunos."
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
      )}
      <RecordButtons {...props} busy={form.submitting} />
    </FormStack>
  );
}
