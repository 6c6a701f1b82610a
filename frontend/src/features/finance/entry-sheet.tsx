import {
  newTransaction,
  type NewTransaction,
  UNDONE,
} from '../../../../backend/modules/finance/finance.api.js';
import type { Day } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { useToday } from '../../lib/zone.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { takenBack, toast } from '../../ui/toast.js';
import { DeliveredNote } from './delivery.js';
import { entryBody, EntryFields } from './entry-fields.js';
import { useRecordTransaction, useReverseTransaction } from './finance.queries.js';
import { ENTRY_DRAFT } from './pending-entries.js';
import { kindNames } from './words.js';

interface EntrySheetProps {
  opened: boolean;
  /** Whether it begins as an expense; its kind can be changed in it. */
  isExpense: boolean;
  onClose: () => void;
  /** Called with the entry's date, whose month may be another than the one on the screen. */
  onRecorded: (day: Day) => void;
}

export function EntrySheet({ opened, onClose, ...form }: EntrySheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Receita ou Despesa?" beginsAtField>
      <EntryForm {...form} />
    </Sheet>
  );
}

function EntryForm({ isExpense, onRecorded }: Omit<EntrySheetProps, 'opened' | 'onClose'>) {
  const today = useToday();
  const record = useRecordTransaction();
  const reverse = useReverseTransaction();
  const form = useBodyForm({
    initialValues: {
      tipo: isExpense ? 'despesa' : 'receita',
      descricao: '',
      valor: '',
      metodo_pagamento: 'pix',
      data: today,
      student_id: '',
      categoria: '',
    },
    schema: newTransaction,
    toBody: entryBody,
    draft: ENTRY_DRAFT,
  });

  const save = async (body: NewTransaction) => {
    const { id, reserva, queued } = await record.mutateAsync(body);
    onRecorded(body.data);
    const what = `${kindNames[body.tipo]} de ${formatMoney(body.valor)}`;
    const advice = reserva > 0 ? `${what}. Separe ${formatMoney(reserva)} para a reserva.` : what;
    toast.success('Transação criada', {
      description: queued ? WILL_BE_SENT : advice,
      ...takenBack(() => reverse.mutateAsync({ id, ...body, motivo: UNDONE }), 'Lançamento desfeito'),
    });
  };

  return (
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao criar transação"
      submit={form.values.tipo === 'receita' ? 'Registrar receita' : 'Registrar despesa'}
    >
      <EntryFields form={form} />
      <DeliveredNote days={[form.values.data]} />
    </SheetForm>
  );
}
