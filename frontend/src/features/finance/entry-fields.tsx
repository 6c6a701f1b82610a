import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useState } from 'react';
import type { BodyForm } from '../../lib/form.js';
import { amountOf } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { StudentField } from '../../parts/student-field.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { kindNames, methods } from './words.js';

/** Values of an entry's fields; '' for no student and no category. */
export interface EntryValues {
  tipo: string;
  descricao: string;
  valor: string;
  metodo_pagamento: string;
  data: string;
  student_id: string;
  categoria: string;
}

/** The request's body for an entry's field values. */
export function entryBody<Values extends EntryValues>({ valor, student_id, categoria, ...values }: Values) {
  return {
    ...values,
    valor: amountOf(valor),
    student_id: student_id || null,
    categoria: values.tipo === 'despesa' && categoria ? categoria : null,
  };
}

interface EntryFieldsProps<Values extends EntryValues> {
  form: BodyForm<Values, never> | BodyForm<Values, unknown>;
}

export function EntryFields<Values extends EntryValues>({ form }: EntryFieldsProps<Values>) {
  const { values, setFieldValue } = form as unknown as BodyForm<EntryValues, unknown>;
  const [asksStudent, setAsksStudent] = useState(false);
  const today = useToday();
  const isIncome = values.tipo === 'receita';
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Tipo"
        data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('tipo')}
      />
      <MoneyField data-autofocus label="Valor (R$)" {...form.getInputProps('valor')} />
      <TextInput
        label="Descrição"
        placeholder={isIncome ? 'Ex.: Mensalidade Ana' : 'Ex.: Aluguel da sala'}
        autoComplete="off"
        {...form.getInputProps('descricao')}
      />
      <FieldPair>
        <NativeSelect
          label="Meio de Pagamento"
          data={Object.entries(methods).map(([value, { label }]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
        <DateField label="Data" max={today} {...form.getInputProps('data')} />
      </FieldPair>
      {!isIncome && (
        <NativeSelect
          label="Categoria"
          data={[
            { value: '', label: 'Sem categoria' },
            ...Object.entries(categoryNames).map(([value, label]) => ({ value, label })),
          ]}
          {...form.getInputProps('categoria')}
        />
      )}
      {values.student_id || asksStudent ? (
        <StudentField
          label="Aluno"
          value={values.student_id || null}
          onChange={(id) => setFieldValue('student_id', id ?? '')}
          data-path="student_id"
        />
      ) : (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => setAsksStudent(true)}
          leftSection={<Icon name="people" size={18} />}
        >
          Escolher o aluno
        </Button>
      )}
    </>
  );
}
