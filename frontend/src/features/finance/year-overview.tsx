import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { YearSummary } from '../../../../backend/modules/finance/finance.api.js';
import { formatMonth, type Month } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useYear } from './finance.queries.js';
import classes from './year.module.css';

interface YearOverviewProps {
  year: string;
  /** The past moment that is shown; now without one. */
  at: string | undefined;
  onMonth: (month: Month) => void;
}

/** The year by month: received within expected, spent, and the profit; a tap opens the month. */
export function YearOverview({ year, at, onMonth }: YearOverviewProps) {
  const begin = useRef<HTMLDivElement>(null);
  // On a phone it begins below the button that opens it, out of sight.
  useEffect(() => begin.current?.scrollIntoView({ block: 'start' }), []);
  return (
    <div ref={begin} className={classes.year}>
      <Section title={`Ano de ${year}`}>
        <Async
          of={useYear(year, at)}
          failure="Erro ao buscar dados financeiros"
          skeleton={<Skeletons count={6} height={88} />}
        >
          {(summary) => <Months summary={summary} onMonth={onMonth} />}
        </Async>
      </Section>
    </div>
  );
}

type Figures = Omit<YearSummary['meses'][number], 'mes'>;

interface MonthsProps {
  summary: YearSummary;
  onMonth: (month: Month) => void;
}

function Months({ summary: { meses, meta }, onMonth }: MonthsProps) {
  const highest = Math.max(
    meta,
    ...meses.flatMap(({ previsto, recebido, despesas }) => [previsto, recebido, despesas]),
    1,
  );
  const widthOf = (cents: number) => `${(Math.max(cents, 0) / highest) * 100}%`;
  const sum = (of: keyof Figures) => meses.reduce((total, month) => total + month[of], 0);
  return (
    <>
      <p className={classes.legend} aria-hidden>
        <span data-series="recebido">Recebido</span>
        <span data-series="previsto">Previsto</span>
        <span data-series="despesas">Despesas</span>
        {meta > 0 && <span data-series="meta">{`Meta ${formatMoney(meta)}`}</span>}
      </p>
      <Card flush>
        <ol className={classes.months} aria-label="Mês a mês">
          {meses.map(({ mes, ...figures }) => (
            <li key={mes}>
              <button type="button" className={classes.month} onClick={() => onMonth(mes)}>
                <Line name={formatMonth(mes)} figures={figures} widthOf={widthOf} meta={meta} />
              </button>
            </li>
          ))}
        </ol>
        <div className={classes.month}>
          <Line
            name="Ano"
            figures={{ previsto: sum('previsto'), recebido: sum('recebido'), despesas: sum('despesas') }}
          />
        </div>
      </Card>
    </>
  );
}

interface LineProps {
  name: string;
  figures: Figures;
  /** A bar's width; without one there are no bars. */
  widthOf?: (cents: number) => string;
  meta?: number;
}

/** What is read aloud has all figures; what is seen has the expected amount as an outline, or as text where nothing was received. */
function Line({ name, figures: { previsto, recebido, despesas }, widthOf, meta = 0 }: LineProps) {
  const isToCome = recebido === 0 && previsto > 0;
  const goal = widthOf && meta > 0 && <span className={classes.goal} style={{ left: widthOf(meta) }} />;
  return (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.bars}>
        <span className={classes.track} aria-hidden>
          {widthOf && <span data-series="previsto" style={{ width: widthOf(previsto) }} />}
          {widthOf && <span data-series="recebido" style={{ width: widthOf(recebido) }} />}
          {goal}
        </span>
        <span className={classes.amount} data-expected={isToCome || undefined}>
          <Icon name={isToCome ? 'clock' : 'up'} size={14} />
          <VisuallyHidden component="span">{isToCome ? ' Previsto ' : ' Recebido '}</VisuallyHidden>
          <Money cents={isToCome ? previsto : recebido} />
          {!isToCome && (
            <VisuallyHidden component="span">{` de ${formatMoney(previsto)} previstos`}</VisuallyHidden>
          )}
        </span>
        <span className={classes.track} aria-hidden>
          {widthOf && <span data-series="despesas" style={{ width: widthOf(despesas) }} />}
          {goal}
        </span>
        <span className={classes.amount}>
          <Icon name="drop" size={14} />
          <VisuallyHidden component="span"> Despesas </VisuallyHidden>
          <Money cents={despesas} />
        </span>
      </span>
      <span className={classes.profit}>
        {' lucro '}
        <Money cents={recebido - despesas} />
      </span>
    </>
  );
}
