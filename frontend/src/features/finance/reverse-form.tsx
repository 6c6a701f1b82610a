import { Button, TextInput } from '@mantine/core';
import {
  type Transaction,
  transactionReversal,
  type TransactionReversal,
} from '../../../../backend/modules/finance/finance.api.js';
import { useBodyForm } from '../../lib/form.js';
import { read } from '../../lib/calls.js';
import { withdraw } from '../../lib/pending.js';
import { UndoPrice } from '../../parts/undo-sheet.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { DeliveredNote } from './delivery.js';
import classes from './finance.module.css';
import { useRecordTransaction, useReverseTransaction } from './finance.queries.js';

interface ReverseFormProps {
  transaction: Transaction;
  onDone: () => void;
  onBack: () => void;
}

/** A transaction is never edited: reversing lowers its month, and both entries stay visible. */
export function ReverseForm({ transaction, onDone, onBack }: ReverseFormProps) {
  const reverse = useReverseTransaction();
  const record = useRecordTransaction();
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: transactionReversal,
    toBody: (values) => values,
  });
  const { tipo, descricao, valor, metodo_pagamento, data, student_id, categoria } = transaction;

  const again = () =>
    attempt(async () => {
      // If the entry is still in the outbox, remove it from there.
      if (await withdraw(transaction.id)) return;
      const body = { tipo, descricao: descricao ?? 'Sem descrição', valor, metodo_pagamento, data };
      await record.mutateAsync({ ...body, student_id, categoria });
    }, 'Erro ao desfazer');

  const save = async ({ motivo }: TransactionReversal) => {
    await reverse.mutateAsync({ ...transaction, motivo });
    onDone();
    toast.success('Lançamento estornado', {
      description: 'O lançamento e o estorno ficam no histórico.',
      undo: again,
      undone: 'Estorno desfeito',
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao estornar o lançamento' })}>
      <p className={classes.quiet}>O lançamento e o motivo ficam no histórico. O estorno:</p>
      <UndoPrice
        what="Estornar"
        of={transaction.id}
        price={(signal) => read('GET /transactions/:id/reverse/preview', { of: [transaction.id], signal })}
      />
      <TextInput
        data-autofocus
        label="Motivo do estorno"
        placeholder="Ex.: lançado em dobro"
        autoComplete="off"
        {...form.getInputProps('motivo')}
      />
      <DeliveredNote days={[data]} />
      <SheetActions onBack={onBack}>
        <Button
          type="submit"
          color="red"
          loading={form.submitting}
          leftSection={<Icon name="undo" size={18} />}
        >
          Estornar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
