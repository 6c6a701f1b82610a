import { Button, ActionIcon, NativeSelect } from '@mantine/core';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useSearchParams } from 'react-router-dom';
import { month as monthSchema } from '../../../../backend/modules/finance/finance.api.js';
import { type Day, monthOf, addMonths, type Month } from '../../lib/dates.js';
import { isLocal } from '../../lib/outbox.js';
import { useToday } from '../../lib/zone.js';
import { useMoment } from '../../lib/moment.js';
import { Page, Section } from '../../ui/page.js';
import { Beyond, isBeyond, Past } from '../../ui/past.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { Icon } from '../../ui/icon.js';
import { DeliveryLine } from './delivery.js';
import { EntrySheet } from './entry-sheet.js';
import { EntryFilterFields, FilterButton } from './entry-filters.js';
import { PART_NAMES } from './figure-part.js';
import { FigureSheet } from './figure-sheet.js';
import { FinanceTools } from './finance-tools.js';
import { type EntryFilters, useMonth, useTransaction, useTransactions } from './finance.queries.js';
import { ForecastSheet } from './forecast.js';
import { MonthChangesSection } from './month-changes.js';
import classes from './finance.module.css';
import { monthNames } from './words.js';
import { MonthFigures } from './month-figures.js';
import { OwedSessionsLine, OwedSessionsSheet } from './owed-sessions.js';
import { PendingEntries } from './pending-list.js';
import { TransactionSheet } from './transaction-sheet.js';
import { Transactions } from './transactions.js';
import { YearOverview } from './year-overview.js';

interface FinancePageProps {
  /** The action that opens the advisor. */
  advisor: ReactNode;
  /** What waits for a decision before it counts. */
  waiting: ReactNode;
}

/** In the address, as the figures of the month. */
const OWED = 'sessoes_a_dar';
const FORECAST = 'do_previsto';

/** The finance page of a month. The address holds the month and the open sheet. */
export function FinancePage({ advisor, waiting }: FinancePageProps) {
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('mes');
  const month = asked && monthSchema.safeParse(asked).success ? asked : monthOf(today);
  const time = useMoment();
  const { moment } = time;
  const at = moment?.at;
  const summary = useMonth(month, at);
  const [filters, setFilters] = useState<EntryFilters>({});
  const [isFiltering, setFiltering] = useState(false);
  const transactions = useTransactions(month, filters, at);
  const choice = useRef<HTMLSelectElement>(null);
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

  const name = monthNames[Number(month.slice(5)) - 1]!;
  const past = <Past what={name} {...time} />;

  if (moment && isBeyond(summary.error))
    return (
      <Page title="Financeiro">
        {past}
        <Beyond error={summary.error} />
      </Page>
    );

  const isYearShown = search.get('ver') === 'ano';
  const isExpense = search.get('novo') === 'despesa';
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
      {past}
      <MonthChoice
        month={month}
        today={today}
        select={choice}
        onChange={(value) => change({ mes: value }, true)}
      >
        <Async
          of={summary}
          failure="Erro ao buscar dados financeiros"
          skeleton={
            <>
              <Skeletons count={1} height={204} />
              <Skeletons count={1} height={84} />
            </>
          }
        >
          {(data) => <MonthFigures summary={data} onExplain={(figura) => change({ figura })} />}
        </Async>
      </MonthChoice>
      {!moment && summary.data?.entrega && <DeliveryLine month={month} entrega={summary.data.entrega} />}
      {summary.data && (
        <FigureSheet
          search={search}
          summary={summary.data}
          moment={moment}
          onExplain={(figura) => change({ figura })}
          onForecast={() => change({ figura: FORECAST })}
          onClose={close}
        />
      )}
      <OwedSessionsLine month={month} moment={moment} onOpen={() => change({ figura: OWED })} />
      <OwedSessionsSheet
        opened={search.get('figura') === OWED}
        month={month}
        moment={moment}
        onClose={close}
      />
      <ForecastSheet
        opened={search.get('figura') === FORECAST}
        month={month}
        moment={moment}
        onClose={close}
      />
      {moment ? <MonthChangesSection month={month} moment={moment} /> : waiting}
      <FinanceTools
        month={month}
        moment={moment}
        summary={summary.data}
        isYearShown={isYearShown}
        onYear={() => change({ ver: isYearShown ? null : 'ano' }, true)}
        advisor={advisor}
        onPast={() => time.onAsk(true)}
      />
      {isYearShown && (
        <YearOverview
          year={month.slice(0, 4)}
          at={at}
          onMonth={(mes) => {
            change({ mes, ver: null });
            // The tapped line is gone; the month's figures begin here, above it.
            choice.current?.focus();
          }}
        />
      )}
      <Section
        title="Histórico de transações"
        action={
          <FilterButton filters={filters} opened={isFiltering} onToggle={() => setFiltering(!isFiltering)} />
        }
      >
        {!moment && <PendingEntries month={month} />}
        <EntryFilterFields
          opened={isFiltering}
          filters={filters}
          onChange={setFilters}
          total={transactions.data?.pages[0]?.total}
          month={month}
          isPast={moment !== null}
        />
        <Transactions of={transactions} isPast={moment !== null} onOpen={(id) => change({ transacao: id })} />
      </Section>
      <EntrySheet
        opened={(search.get('novo') === 'lancamento' || isExpense) && !moment}
        isExpense={isExpense}
        onClose={close}
        onRecorded={showMonthOf}
      />
      <TransactionSheet
        transaction={shown ?? null}
        moment={entryMoment}
        onClose={close}
        onCorrected={showMonthOf}
      />
    </Page>
  );
}

const FIRST_YEAR = 2023;

interface MonthChoiceProps {
  month: Month;
  today: string;
  select: RefObject<HTMLSelectElement | null>;
  onChange: (month: Month) => void;
  /** What is shown of the month; swiping over it leads to the next or the previous one. */
  children: ReactNode;
}

/** Chooses the month by its name, by arrows or by a swipe; the chosen one slides in from its side. */
export function MonthChoice({ month, today, select, onChange, children }: MonthChoiceProps) {
  const shown = Number(month.slice(0, 4));
  const firstYear = Math.min(FIRST_YEAR, shown);
  const lastYear = Math.max(Number(today.slice(0, 4)) + 1, shown);
  const groups = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => {
    const year = String(lastYear - index);
    const items = monthNames.map((name, number) => ({
      value: `${year}-${String(number + 1).padStart(2, '0')}`,
      label: `${name} de ${year}`,
    }));
    return { group: year, items };
  });
  const reaches = { [-1]: month > `${firstYear}-01`, 1: month < `${lastYear}-12` };
  const [from, setFrom] = useState<'left' | 'right'>();
  const choose = (to: Month) => {
    setFrom(to > month ? 'right' : 'left');
    onChange(to);
  };
  const step = (by: 1 | -1) => reaches[by] && choose(monthOf(addMonths(`${month}-01`, by)));
  return (
    <div className={classes.swiped} {...useSwipe(step)}>
      <div className={classes.choice}>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label="Mês anterior"
          disabled={!reaches[-1]}
          onClick={() => step(-1)}
        >
          <Icon name="left" />
        </ActionIcon>
        <NativeSelect
          ref={select}
          aria-label="Mês"
          value={month}
          onChange={(event) => choose(event.currentTarget.value)}
          data={groups}
        />
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label="Próximo mês"
          disabled={!reaches[1]}
          onClick={() => step(1)}
        >
          <Icon name="right" />
        </ActionIcon>
      </div>
      <div key={month} className={classes.swiped} data-from={from}>
        {children}
      </div>
    </div>
  );
}
