import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type Transaction,
  transactionCorrection,
  type TransactionCorrection,
} from '../../../../backend/modules/finance/finance.api.js';
import { useSend } from '../../lib/command.js';
import { formatDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { StudentName } from '../../parts/student-field.js';
import { SheetForm } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { DeliveredNote } from './delivery.js';
import { entryBody, EntryFields, type EntryValues } from './entry-fields.js';
import classes from './finance.module.css';
import { kindNames, methods } from './words.js';

interface CorrectFormProps {
  transaction: Transaction;
  /** Called with the date of the corrected entry, which may be in another month. */
  onDone: (day: string) => void;
  onBack: () => void;
}

const valuesOf = (transaction: Transaction): EntryValues => ({
  tipo: transaction.tipo,
  descricao: transaction.descricao ?? '',
  valor: formatAmount(transaction.valor),
  metodo_pagamento: transaction.metodo_pagamento,
  data: transaction.data,
  student_id: transaction.student_id ?? '',
  categoria: transaction.categoria ?? '',
});

/** The text of each field in the comparison. */
const shown: Record<
  Exclude<keyof EntryValues, 'student_id'>,
  [label: string, words: (text: string) => string]
> = {
  tipo: ['Tipo', (tipo) => kindNames[tipo as keyof typeof kindNames]],
  valor: [
    'Valor',
    (valor) => {
      const cents = amountOf(valor);
      return typeof cents === 'number' ? formatMoney(cents) : '—';
    },
  ],
  descricao: ['Descrição', (descricao) => descricao || '—'],
  metodo_pagamento: ['Meio', (method) => methods[method as keyof typeof methods].label],
  data: ['Data', (data) => (/^\d{4}-\d{2}-\d{2}$/.test(data) ? formatDate(data) : data)],
  categoria: [
    'Categoria',
    (name) => (name ? categoryNames[name as keyof typeof categoryNames] : 'Sem categoria'),
  ],
};

/** Corrects an entry: reverses it and records a new one, in one step. Shows both for comparison. */
export function CorrectForm({ transaction, onDone, onBack }: CorrectFormProps) {
  const correct = useSend('POST /transactions/:id/correct', transaction.id);
  const before = valuesOf(transaction);
  const form = useBodyForm({
    initialValues: { ...before, motivo: '' },
    schema: transactionCorrection,
    toBody: entryBody,
  });
  const changes: { label: string; was: ReactNode; is: ReactNode }[] = Object.entries(shown).flatMap(
    ([name, [label, words]]) => {
      const field = name as keyof typeof shown;
      const [was, is] = [words(before[field]), words(form.values[field])];
      return was === is ? [] : [{ label, was, is }];
    },
  );
  const { student_id } = form.values;
  if (student_id !== before.student_id)
    changes.push({
      label: 'Aluno',
      was: before.student_id ? (transaction.aluno ?? 'Aluno apagado') : 'Sem aluno',
      is: student_id ? <StudentName id={student_id} /> : 'Sem aluno',
    });
  const save = async (body: TransactionCorrection) => {
    await correct.mutateAsync(body);
    onDone(body.data);
    toast.success('Lançamento corrigido', {
      description: 'O lançamento anterior e o estorno ficam no histórico.',
    });
  };
  return (
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao corrigir o lançamento"
      submit="Corrigir"
      onBack={onBack}
    >
      <EntryFields form={form} />
      {changes.length > 0 && (
        <table className={classes.comparison}>
          <thead>
            <tr>
              <th scope="col">O que muda</th>
              <th scope="col">Antes</th>
              <th scope="col">Depois</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ label, was, is }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <TextInput
        label="Motivo"
        placeholder="Ex.: valor digitado errado"
        autoComplete="off"
        {...form.getInputProps('motivo')}
      />
      <DeliveredNote days={[before.data, form.values.data]} />
    </SheetForm>
  );
}
