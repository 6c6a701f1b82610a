import { Button, NativeSelect, TextInput } from '@mantine/core';
import {
  type RecurringExpense,
  recurringExpenseTerms,
  type RecurringExpenseTerms,
} from '../../../../backend/modules/finance/recurring-expenses.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { useToday } from '../../lib/zone.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { useAddRecurringExpense, useSetRecurringExpense } from './recurring.queries.js';
import { methods } from './words.js';

/** Form for a recurring expense; null for a new one. */
export function RecurringForm({ expense, onDone }: { expense: RecurringExpense | null; onDone: () => void }) {
  const today = useToday();
  const add = useAddRecurringExpense();
  const set = useSetRecurringExpense(expense?.id ?? '');
  const form = useBodyForm({
    initialValues: {
      descricao: expense?.descricao ?? '',
      valor: expense ? formatAmount(expense.valor) : '',
      metodo_pagamento: expense?.metodo_pagamento ?? 'pix',
      categoria: expense?.categoria ?? '',
      vence_dia: String(expense?.vence_dia ?? 5),
      desde: expense?.desde ?? today,
      ate: expense?.ate ?? '',
    },
    schema: recurringExpenseTerms,
    toBody: ({ valor, categoria, vence_dia, ate, ...values }): unknown => ({
      ...values,
      valor: amountOf(valor),
      categoria: categoria || null,
      vence_dia: numberOf(vence_dia),
      ate: ate || null,
    }),
    draft: expense ? undefined : 'recurring-expense',
  });
  const save = async (body: RecurringExpenseTerms) => {
    await (expense ? set.mutateAsync(body) : add.mutateAsync(body));
    onDone();
    toast.success(expense ? 'Despesa recorrente alterada' : 'Despesa recorrente criada', {
      description: expense
        ? 'Vale a partir do próximo lançamento.'
        : `O lançamento entra sozinho todo dia ${body.vence_dia}.`,
    });
  };
  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, { save, failure: 'Erro ao salvar a despesa recorrente' })}
    >
      <MoneyField data-autofocus label="Valor (R$)" {...form.getInputProps('valor')} />
      <TextInput
        label="Descrição"
        placeholder="Ex.: Aluguel da sala"
        autoComplete="off"
        {...form.getInputProps('descricao')}
      />
      <FieldPair>
        <TextInput label="Dia do mês" inputMode="numeric" {...form.getInputProps('vence_dia')} />
        <NativeSelect
          label="Meio de Pagamento"
          data={Object.entries(methods).map(([value, { label }]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
      </FieldPair>
      <NativeSelect
        label="Categoria"
        data={[
          { value: '', label: 'Sem categoria' },
          ...Object.entries(categoryNames).map(([value, label]) => ({ value, label })),
        ]}
        {...form.getInputProps('categoria')}
      />
      <FieldPair>
        <DateField label="Desde" {...form.getInputProps('desde')} />
        <DateField label="Até (opcional)" {...form.getInputProps('ate')} />
      </FieldPair>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          {expense ? 'Salvar' : 'Criar despesa recorrente'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}
