import { Button, NativeSelect, TextInput } from '@mantine/core';
import {
  type BankLine,
  type ComparedLine,
  lineEntry,
  type LineEntry,
  type LineTwins,
} from '../../../../backend/modules/bank-lines/bank-lines.api.js';
import { expenseCategory, paymentMethod } from '../../../../backend/modules/finance/finance.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { formatMoney } from '../../lib/money.js';
import { categoryNames, methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { StudentField } from '../../parts/student-field.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useUndoEntry } from './bank-lines.queries.js';

interface EntryFormProps {
  line: BankLine;
  twins: LineTwins;
  /** The student whose name the line has. */
  student: ComparedLine['aluno'];
  onBack: () => void;
  onDone: () => void;
  onUndone: () => void;
}

/** Records a line as a transaction of its own, if it pays no charge. */
export function EntryForm({
  line: { chave, data, valor, texto },
  twins,
  student,
  onBack,
  onDone,
  onUndone,
}: EntryFormProps) {
  const record = useSend('POST /bank-lines/record');
  const undo = useUndoEntry();
  const isIncome = valor > 0;
  const form = useBodyForm({
    initialValues: {
      descricao: texto.slice(0, 200),
      metodo_pagamento: 'pix',
      categoria: '',
      student_id: student?.id ?? '',
    },
    schema: lineEntry,
    toBody: ({ categoria, student_id, ...values }): unknown => ({
      chave,
      data,
      valor,
      ...twins,
      ...values,
      categoria: isIncome ? null : categoria || null,
      student_id: isIncome ? student_id || null : null,
    }),
  });
  const save = async (body: LineEntry) => {
    const { id } = await record.mutateAsync(body);
    onDone();
    toast.success('Transação criada', {
      description: `${isIncome ? 'Receita' : 'Despesa'} de ${formatMoney(Math.abs(valor))}`,
      ...takenBack(async () => {
        await undo.mutateAsync(id);
        onUndone();
      }, 'Lançamento desfeito'),
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao criar transação' })}>
      <TextInput label="Descrição" autoComplete="off" {...form.getInputProps('descricao')} />
      <FieldPair>
        <NativeSelect
          label="Meio de Pagamento"
          data={paymentMethod.options.map((value) => ({ value, label: methodNames[value] }))}
          {...form.getInputProps('metodo_pagamento')}
        />
        {!isIncome && (
          <NativeSelect
            label="Categoria"
            data={[
              { value: '', label: 'Sem categoria' },
              ...expenseCategory.options.map((value) => ({ value, label: categoryNames[value] })),
            ]}
            {...form.getInputProps('categoria')}
          />
        )}
      </FieldPair>
      {isIncome && (
        <StudentField
          label="Aluno (opcional)"
          value={form.values.student_id || null}
          onChange={(id) => form.setFieldValue('student_id', id ?? '')}
          data-path="student_id"
        />
      )}
      <Button type="submit" loading={form.submitting}>
        {isIncome ? 'Registrar receita' : 'Registrar despesa'}
      </Button>
      <Button variant="subtle" color="gray" onClick={onBack}>
        Voltar
      </Button>
    </FormStack>
  );
}
