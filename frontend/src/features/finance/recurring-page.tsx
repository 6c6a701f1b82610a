import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import {
  type RecurringExpense,
  recurringExpenseTerms,
  type RecurringExpenseTerms,
  type RecurringExpensePage,
} from '../../../../backend/modules/finance/recurring-expenses.api.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { formatDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { formatMoney, amountOf, formatAmount } from '../../lib/money.js';
import { History } from '../../parts/history.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useBodyForm } from '../../lib/form.js';
import { numberOf } from '../../lib/number.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import classes from './finance.module.css';
import { methods } from './words.js';

/** The recurring expenses; the address holds the edited one. */
export default function RecurringPage() {
  const [search, setSearch] = useSearchParams();
  const list = useRecurringExpenses();
  const total = list.data?.pages[0]?.total;
  const asked = search.get('despesa');
  const edited = list.data?.pages.flatMap(({ items }) => items).find(({ id }) => id === asked);
  const open = (id: string | null) => setSearch(id === null ? {} : { despesa: id }, { replace: id === null });
  const close = () => open(null);

  return (
    <Page
      title="Despesas recorrentes"
      back="/financeiro"
      subtitle={total && total.valor > 0 && `${formatMoney(total.valor)} por mês`}
      action={
        <Button size="sm" onClick={() => open('nova')}>
          Nova
        </Button>
      }
    >
      <InfiniteList
        of={list}
        failure="Erro ao carregar despesas recorrentes"
        skeleton={<Skeletons count={3} />}
        empty={
          <Notice
            icon="renew"
            title="Nenhuma despesa recorrente"
            action={<Button onClick={() => open('nova')}>Criar a primeira</Button>}
          >
            Aluguel, taxa da academia, contador: cadastre uma vez e o lançamento entra sozinho todo mês.
          </Notice>
        }
      >
        {(items) => (
          <Card flush>
            {items.map((expense) => (
              <ExpenseRow key={expense.id} expense={expense} onOpen={() => open(expense.id)} />
            ))}
          </Card>
        )}
      </InfiniteList>
      <Sheet
        opened={asked === 'nova' || edited !== undefined}
        onClose={close}
        title={edited ? 'Despesa recorrente' : 'Nova despesa recorrente'}
        beginsAtField={!edited}
      >
        {asked === 'nova' && <RecurringForm expense={null} onDone={close} />}
        {edited && (
          <div key={edited.id} className={classes.detail}>
            <RecurringForm expense={edited} onDone={close} />
            <EndButton expense={edited} onDone={close} />
            <Section title="Histórico">
              <History kind="expense" id={edited.id} />
            </Section>
          </div>
        )}
      </Sheet>
    </Page>
  );
}

function ExpenseRow({ expense, onOpen }: { expense: RecurringExpense; onOpen: () => void }) {
  const today = useToday();
  const { descricao, valor, categoria, metodo_pagamento, vence_dia, proxima } = expense;
  return (
    <Row
      onClick={onOpen}
      muted={proxima === null}
      lead={
        <span className={classes.kind} data-kind="despesa">
          <Icon name="renew" size={18} />
        </span>
      }
      title={descricao ?? 'Sem descrição'}
      facts={[
        `todo dia ${vence_dia}`,
        categoria && categoryNames[categoria],
        methods[metodo_pagamento].label,
        proxima === null ? 'chegou ao fim' : `próxima ${formatDay(proxima, today)}`,
      ]
        .filter(Boolean)
        .join(' · ')}
      trail={<Money cents={valor} strong />}
    />
  );
}

function EndButton({ expense, onDone }: { expense: RecurringExpense; onDone: () => void }) {
  const end = useEndRecurringExpense(expense.id);
  const set = useSetRecurringExpense(expense.id);
  const { id: _id, proxima: _next, descricao, ...terms } = expense;
  const again = () =>
    attempt(
      () => set.mutateAsync({ ...terms, descricao: descricao ?? 'Sem descrição', se_ainda: null }),
      'Erro ao desfazer',
    );
  const stop = () =>
    attempt(async () => {
      await end.mutateAsync();
      onDone();
      toast.success('Despesa recorrente encerrada', {
        description: 'O que já foi lançado continua no histórico.',
        undo: again,
        undone: 'Despesa recorrente reativada',
      });
    }, 'Erro ao encerrar a despesa recorrente');
  return (
    <Button variant="subtle" color="gray" loading={end.isPending} onClick={() => void stop()}>
      Encerrar despesa recorrente
    </Button>
  );
}

/** Form for a recurring expense; null for a new one. */
function RecurringForm({ expense, onDone }: { expense: RecurringExpense | null; onDone: () => void }) {
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
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao salvar a despesa recorrente"
      submit={expense ? 'Salvar' : 'Criar despesa recorrente'}
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
    </SheetForm>
  );
}

const RECURRING = reads('recurring-expenses', ['transactions']);

function useRecurringExpenses() {
  return usePaged<RecurringExpense, RecurringExpensePage>([RECURRING], (cursor, signal) =>
    read('GET /recurring-expenses', { query: { cursor }, signal }),
  );
}

function useAddRecurringExpense() {
  return useSend('POST /recurring-expenses');
}

/** Changes a recurring expense; an ended one starts again. */
function useSetRecurringExpense(id: string) {
  return useSend('PUT /recurring-expenses/:id', id);
}

function useEndRecurringExpense(id: string) {
  return useSend('DELETE /recurring-expenses/:id', id);
}
