import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { month as monthSchema, type Transaction } from '../../../../backend/modules/finance/finance.api.js';
import { monthOf, type Month } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './finance.module.css';
import { EntrySheet } from './entry-sheet.js';
import { useMonth, useTransactions } from './finance.queries.js';
import { MonthFigures } from './month-figures.js';
import { PendingEntries } from './pending-list.js';
import { TransactionSheet } from './transaction-sheet.js';
import { Transactions } from './transactions.js';

const months = [
  'Janeiro',
  'Fevereiro',
  'Março',
  'Abril',
  'Maio',
  'Junho',
  'Julho',
  'Agosto',
  'Setembro',
  'Outubro',
  'Novembro',
  'Dezembro',
];
const FIRST_YEAR = 2023;

interface FinancePageProps {
  history: (transactionId: string) => ReactNode;
  receipt: (transaction: Transaction) => ReactNode;
}

/** The month, and what is open over it, are in the address. */
export function FinancePage({ history, receipt }: FinancePageProps) {
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('mes');
  const month = asked && monthSchema.safeParse(asked).success ? asked : monthOf(today);
  const summary = useMonth(month);
  const transactions = useTransactions(month);
  const shown = transactions.data?.pages
    .flatMap(({ items }) => items)
    .find(({ id }) => id === search.get('transacao'));

  const change = (values: Record<string, string | null>, replace = false) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace },
    );
  const close = () => change({ novo: null, transacao: null }, true);

  return (
    <Page
      title="Financeiro"
      action={
        <Button size="sm" onClick={() => change({ novo: 'lancamento' })}>
          Lançamento
        </Button>
      }
    >
      <MonthChoice month={month} today={today} onChange={(value) => change({ mes: value }, true)} />
      <Async
        of={summary}
        failure="Erro ao buscar dados financeiros"
        skeleton={
          <>
            <Skeletons count={1} height={180} />
            <div className={classes.gap} />
            <Skeletons count={4} height={96} layout="grid" />
          </>
        }
      >
        {(data) => <MonthFigures summary={data} />}
      </Async>
      <Button
        component={Link}
        to="/cobrancas"
        variant="default"
        fullWidth
        rightSection={<Icon name="right" size={18} />}
      >
        Cobranças e a receber
      </Button>
      <Section title="Histórico de transações">
        <PendingEntries month={month} />
        <Transactions of={transactions} onOpen={(id) => change({ transacao: id })} />
      </Section>
      <EntrySheet
        opened={search.get('novo') === 'lancamento'}
        onClose={close}
        onRecorded={(day) =>
          change({ novo: null, mes: monthOf(day) === monthOf(today) ? null : monthOf(day) }, true)
        }
      />
      <TransactionSheet transaction={shown ?? null} onClose={close} history={history} receipt={receipt} />
    </Page>
  );
}

interface MonthChoiceProps {
  month: Month;
  today: string;
  onChange: (month: Month) => void;
}

function MonthChoice({ month, today, onChange }: MonthChoiceProps) {
  const [year = '', number = ''] = month.split('-');
  const lastYear = Number(today.slice(0, 4)) + 1;
  const years = Array.from({ length: lastYear - FIRST_YEAR + 1 }, (_, index) => String(FIRST_YEAR + index));
  return (
    <div className={classes.choice}>
      <NativeSelect
        aria-label="Mês"
        value={number}
        onChange={(event) => onChange(`${year}-${event.currentTarget.value}`)}
        data={months.map((label, index) => ({ value: String(index + 1).padStart(2, '0'), label }))}
      />
      <NativeSelect
        aria-label="Ano"
        value={year}
        onChange={(event) => onChange(`${event.currentTarget.value}-${number}`)}
        data={years.includes(year) ? years : [year, ...years]}
      />
    </div>
  );
}
