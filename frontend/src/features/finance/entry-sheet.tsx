import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { newTransaction, type NewTransaction } from '../../../../backend/modules/finance/finance.api.js';
import type { Day } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { useToday } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRecordTransaction, useReverseTransaction } from './finance.queries.js';
import { ENTRY_DRAFT } from './pending-entries.js';
import { kindNames, methods } from './words.js';

interface EntrySheetProps {
  opened: boolean;
  onClose: () => void;
  /** Called with the entry's date, whose month may be another than the one on the screen. */
  onRecorded: (day: Day) => void;
}

export function EntrySheet({ opened, onClose, onRecorded }: EntrySheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Receita ou Despesa?" beginsAtField>
      <EntryForm onRecorded={onRecorded} />
    </Sheet>
  );
}

function EntryForm({ onRecorded }: { onRecorded: (day: Day) => void }) {
  const today = useToday();
  const record = useRecordTransaction();
  const reverse = useReverseTransaction();
  const form = useBodyForm({
    initialValues: { tipo: 'receita', descricao: '', valor: '', metodo_pagamento: 'pix', data: today },
    schema: newTransaction,
    toBody: ({ valor, ...values }) => ({
      ...values,
      valor: amountOf(valor),
    }),
    draft: ENTRY_DRAFT,
  });

  const save = async (body: NewTransaction) => {
    const { id, queued } = await record.mutateAsync(body);
    onRecorded(body.data);
    toast.success('Transação criada', {
      description: queued ? WILL_BE_SENT : `${kindNames[body.tipo]} de ${formatMoney(body.valor)}`,
      undo: () => attempt(() => reverse.mutateAsync({ id, ...body }), 'Erro ao desfazer'),
      undone: 'Lançamento desfeito',
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao criar transação' })}>
      <SegmentedControl
        fullWidth
        aria-label="Tipo"
        data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('tipo')}
      />
      <MoneyField data-autofocus label="Valor (R$)" {...form.getInputProps('valor')} />
      <TextInput
        label="Descrição"
        placeholder={form.values.tipo === 'receita' ? 'Ex.: Mensalidade Ana' : 'Ex.: Aluguel da sala'}
        autoComplete="off"
        {...form.getInputProps('descricao')}
      />
      <FieldPair>
        <NativeSelect
          label="Meio de Pagamento"
          data={Object.entries(methods).map(([value, { label }]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
        <DateField label="Data" {...form.getInputProps('data')} />
      </FieldPair>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          {form.values.tipo === 'receita' ? 'Registrar receita' : 'Registrar despesa'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}
