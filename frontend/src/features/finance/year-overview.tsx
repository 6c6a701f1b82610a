import { Table } from '@mantine/core';
import '@mantine/core/styles/Table.layer.css';
import type { Figure, YearSummary } from '../../../../backend/modules/finance/finance.api.js';
import { formatMonth, formatShortMonth, type Month } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useYear } from './finance.queries.js';
import classes from './year.module.css';

/** Opens the lines of a month's figure. */
type Explain = (month: Month, figure: Figure) => void;

interface YearOverviewProps {
  year: string;
  /** The past moment that is shown; now without one. */
  at: string | undefined;
  onExplain: Explain;
}

/** The year by month: expected, received and spent, as a chart with the goal as a line, and as a table. */
export function YearOverview({ year, at, onExplain }: YearOverviewProps) {
  return (
    <Section title={`Ano de ${year}`}>
      <Async
        of={useYear(year, at)}
        failure="Erro ao buscar dados financeiros"
        skeleton={<Skeletons count={1} height={320} />}
      >
        {(summary) => (
          <>
            <Card>
              <Chart summary={summary} />
            </Card>
            <Card flush>
              <YearTable summary={summary} onExplain={onExplain} />
            </Card>
          </>
        )}
      </Async>
    </Section>
  );
}

const SERIES = [
  ['previsto', 'Previsto'],
  ['recebido', 'Recebido'],
  ['despesas', 'Despesas'],
] as const;

/** The chart; hidden from screen readers, for which the table has the same data. */
function Chart({ summary: { meses, meta } }: { summary: YearSummary }) {
  const highest = Math.max(
    meta,
    ...meses.flatMap(({ previsto, recebido, despesas }) => [previsto, recebido, despesas]),
    1,
  );
  const share = (cents: number) => `${(Math.max(cents, 0) / highest) * 100}%`;
  return (
    <div aria-hidden>
      <div className={classes.legend}>
        {SERIES.map(([name, label]) => (
          <span key={name} data-series={name}>
            {label}
          </span>
        ))}
        <span data-series="meta">Meta {formatMoney(meta)}</span>
      </div>
      <div className={classes.chart}>
        <div className={classes.goal} style={{ bottom: share(meta) }} />
        {meses.map((month) => (
          <div key={month.mes} className={classes.month} title={formatMonth(month.mes)}>
            {SERIES.map(([name]) => (
              <span key={name} data-series={name} style={{ height: share(month[name]) }} />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.letters}>
        {meses.map(({ mes }) => (
          <span key={mes}>{formatShortMonth(mes).charAt(0).toUpperCase()}</span>
        ))}
      </div>
    </div>
  );
}

function YearTable({ summary: { meses }, onExplain }: { summary: YearSummary; onExplain: Explain }) {
  const sum = (of: (month: YearSummary['meses'][number]) => number) =>
    meses.reduce((total, month) => total + of(month), 0);
  const profit = ({ recebido, despesas }: YearSummary['meses'][number]) => recebido - despesas;
  return (
    // Scrolls, because five columns of amounts are wider than a phone.
    <div className={classes.scroll} tabIndex={0} role="group" aria-label="Valores do ano, mês a mês">
      <Table horizontalSpacing="md" verticalSpacing={0} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Mês</Table.Th>
            <Table.Th scope="col">Previsto</Table.Th>
            <Table.Th scope="col">Recebido</Table.Th>
            <Table.Th scope="col">Despesas</Table.Th>
            <Table.Th scope="col">Lucro</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {meses.map((month) => (
            <Table.Tr key={month.mes}>
              <Table.Th scope="row">{formatMonth(month.mes)}</Table.Th>
              {SERIES.map(([name, label]) => (
                <Table.Td key={name}>
                  <Opening
                    cents={month[name]}
                    label={`${label} de ${formatMonth(month.mes)}`}
                    onOpen={() => onExplain(month.mes, name)}
                  />
                </Table.Td>
              ))}
              <Table.Td>
                <Opening
                  cents={profit(month)}
                  label={`Lucro de ${formatMonth(month.mes)}`}
                  onOpen={() => onExplain(month.mes, 'lucro')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">Ano</Table.Th>
            {SERIES.map(([name]) => (
              <Table.Th key={name}>
                <Money cents={sum((month) => month[name])} />
              </Table.Th>
            ))}
            <Table.Th>
              <Money cents={sum(profit)} />
            </Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}

interface OpeningProps {
  cents: number;
  label: string;
  onOpen: () => void;
}

/** A figure that opens its lines, except a zero. */
function Opening({ cents, label, onOpen }: OpeningProps) {
  if (cents === 0) return <Money cents={cents} />;
  return (
    <button
      type="button"
      className={classes.open}
      aria-label={`${label}: ${formatMoney(cents)}. Ver de onde vem`}
      onClick={onOpen}
    >
      <Money cents={cents} />
    </button>
  );
}
