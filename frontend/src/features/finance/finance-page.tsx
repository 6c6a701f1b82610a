import { Button, NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { month as monthSchema, type Transaction } from '../../../../backend/modules/finance/finance.api.js';
import type { WebFile } from '../../../../backend/modules/receipts/receipts.api.js';
import { type Day, monthOf, type Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { isLocal } from '../../lib/outbox.js';
import { saveFile } from '../../lib/save-file.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useMoment } from '../../lib/moment.js';
import type { ChoiceField } from '../../ui/choice.js';
import { Icon } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Beyond, isBeyond, Past } from '../../ui/past.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './finance.module.css';
import type { StudentName } from './correct-form.js';
import { EntrySheet } from './entry-sheet.js';
import { EntryFilterFields } from './entry-filters.js';
import { PART_NAMES } from './figure-part.js';
import { FigureSheet } from './figure-sheet.js';
import { type EntryFilters, useMonth, useTransaction, useTransactions } from './finance.queries.js';
import { MonthChangesSection } from './month-changes.js';
import { MonthFigures } from './month-figures.js';
import { PendingEntries } from './pending-list.js';
import { TransactionSheet } from './transaction-sheet.js';
import { Transactions } from './transactions.js';
import { YearOverview } from './year-overview.js';

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
  receipt: (transaction: Transaction, onFilling: (isFilling: boolean) => void) => ReactNode;
  /** The button of the advisor. */
  advisor: ReactNode;
  /** What waits for a decision before it counts. */
  waiting: ReactNode;
  StudentField: ChoiceField;
  StudentName: StudentName;
}

/** The finance page of a month. The address holds the month and the open sheet. */
export function FinancePage({
  history,
  receipt,
  advisor,
  waiting,
  StudentField,
  StudentName,
}: FinancePageProps) {
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('mes');
  const month = asked && monthSchema.safeParse(asked).success ? asked : monthOf(today);
  const moment = useMoment();
  const zone = useZone();
  const at = moment?.at;
  const summary = useMonth(month, at);
  const [filters, setFilters] = useState<EntryFilters>({});
  const transactions = useTransactions(month, filters, at);
  const opened = search.get('transacao');
  // A change since the moment leads to the entry as it is now, and back to the moment.
  const isNow = search.has('agora');
  const entryMoment = isNow ? null : moment;
  const listed = isNow
    ? undefined
    : transactions.data?.pages.flatMap(({ items }) => items).find(({ id }) => id === opened);
  // An address may name an entry that no loaded page has.
  const alone = useTransaction(listed || entryMoment || (opened !== null && isLocal(opened)) ? null : opened);
  const shown = listed ?? alone.data;

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
  const close = () =>
    change(
      Object.fromEntries(['novo', 'transacao', 'agora', 'figura', ...PART_NAMES].map((name) => [name, null])),
      true,
    );

  const showMonthOf = (day: Day) =>
    change(
      {
        novo: null,
        transacao: null,
        agora: null,
        mes: monthOf(day) === monthOf(today) ? null : monthOf(day),
      },
      true,
    );

  const name = months[Number(month.slice(5)) - 1]!;
  const past = (
    <Past what={name} {...{ moment, zone, today }} onChoose={(em) => change({ em, transacao: null })} />
  );

  if (moment && isBeyond(summary.error))
    return (
      <Page title="Financeiro">
        {past}
        <Beyond error={summary.error} />
      </Page>
    );

  return (
    <Page
      title="Financeiro"
      action={
        !moment && (
          <Button size="sm" onClick={() => change({ novo: 'lancamento' })}>
            Lançamento
          </Button>
        )
      }
    >
      {moment && past}
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
        {(data) => (
          <>
            <MonthFigures summary={data} onExplain={(figura) => change({ figura })} />
            <FigureSheet
              search={search}
              summary={data}
              moment={moment}
              StudentName={StudentName}
              onClose={close}
            />
          </>
        )}
      </Async>
      {moment ? (
        <MonthChangesSection month={month} moment={moment} />
      ) : (
        <>
          {waiting}
          {advisor}
          {past}
        </>
      )}
      {search.get('ver') === 'ano' ? (
        <YearOverview year={month.slice(0, 4)} at={at} onExplain={(mes, figura) => change({ mes, figura })} />
      ) : (
        <Button variant="default" fullWidth onClick={() => change({ ver: 'ano' }, true)}>
          {`Ver o ano de ${month.slice(0, 4)}`}
        </Button>
      )}
      <Button
        component={Link}
        to={moment ? `/cobrancas?em=${moment.em}` : '/cobrancas'}
        variant="default"
        fullWidth
        rightSection={<Icon name="right" size={18} />}
      >
        Cobranças e a receber
      </Button>
      {!moment && <MonthLinks month={month} receitas={summary.data?.receitas} />}
      <Section title="Histórico de transações">
        {!moment && <PendingEntries month={month} />}
        <EntryFilterFields
          filters={filters}
          onChange={setFilters}
          total={transactions.data?.pages[0]?.total}
          month={month}
          isPast={moment !== null}
        />
        <Transactions of={transactions} isPast={moment !== null} onOpen={(id) => change({ transacao: id })} />
      </Section>
      <EntrySheet
        opened={search.get('novo') === 'lancamento' && !moment}
        onClose={close}
        onRecorded={showMonthOf}
        StudentField={StudentField}
      />
      <TransactionSheet
        transaction={shown ?? null}
        moment={entryMoment}
        onClose={close}
        history={history}
        receipt={receipt}
        StudentField={StudentField}
        StudentName={StudentName}
        onCorrected={showMonthOf}
      />
    </Page>
  );
}

/** Other pages, and the month's files. */
function MonthLinks({ month, receitas }: { month: Month; receitas: number | undefined }) {
  return (
    <>
      <Button
        component={Link}
        to="/financeiro/recorrentes"
        variant="default"
        fullWidth
        rightSection={<Icon name="right" size={18} />}
      >
        Despesas recorrentes
      </Button>
      <Button
        component={Link}
        to="/financeiro/extrato"
        variant="default"
        fullWidth
        rightSection={<Icon name="right" size={18} />}
      >
        Extrato bancário
      </Button>
      <Button
        variant="default"
        fullWidth
        onClick={() => void saveCarneLeao(month)}
        leftSection={<Icon name="drop" size={18} />}
      >
        Baixar Carnê-Leão do mês (CSV)
      </Button>
      <Button
        variant="default"
        fullWidth
        onClick={() => void saveForWeb(month, 'rendimentos', receitas)}
        leftSection={<Icon name="drop" size={18} />}
      >
        Receitas para o Carnê-Leão Web
      </Button>
      <Button
        variant="default"
        fullWidth
        onClick={() => void saveForWeb(month, 'pagamentos')}
        leftSection={<Icon name="drop" size={18} />}
      >
        Despesas para o Carnê-Leão Web
      </Button>
      <p className={classes.quiet}>
        No Carnê-Leão Web da Receita, importe estes dois arquivos em Escrituração. O CPF ou CNPJ é o do
        recibo. Das despesas vão as de aluguel e academia; outras dedutíveis, como cursos, inclua lá.
      </p>
      <Button
        variant="default"
        fullWidth
        onClick={() => void saveReport(month)}
        leftSection={<Icon name="drop" size={18} />}
      >
        Baixar mês para o contador (PDF)
      </Button>
    </>
  );
}

/** Saves the month's receitas for the accountant. */
const saveCarneLeao = (month: Month) =>
  attempt(
    async () => saveFile(await http.file(`/finance/months/${month}/carne-leao`), `carne-leao-${month}.csv`),
    'Erro ao baixar o arquivo',
  );

/** Saves the month as the Carnê-Leão Web imports it, in files of 1,000 lines. */
const saveForWeb = (month: Month, file: WebFile, lines = 0) =>
  attempt(async () => {
    for (let parte = 1; parte === 1 || (parte - 1) * 1000 < lines; parte += 1) {
      const content = await http.file(`/finance/months/${month}/carne-leao-web/${file}?parte=${parte}`);
      saveFile(content, `carne-leao-web-${file}-${month}-${parte}.csv`);
    }
  }, 'Erro ao baixar o arquivo');

const saveReport = (month: Month) =>
  attempt(
    async () => saveFile(await http.file(`/finance/months/${month}/report`), `financeiro-${month}.pdf`),
    'Erro ao baixar o arquivo',
  );

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
