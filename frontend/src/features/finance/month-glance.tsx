import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatMonth, formatShortMonth, monthOf, type Month } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { Bars } from '../../ui/bars.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './finance.module.css';
import { useMonth, useYear } from './finance.queries.js';
import { GoalProgress } from './goal-progress.js';

/** Overview of this month's finances, and of the year. */
export function MonthGlance() {
  const month = monthOf(useToday());
  return (
    <Section
      title={`Financeiro de ${formatMonth(month)}`}
      action={
        <Button component={Link} to="/financeiro" size="sm" variant="subtle">
          Ver o mês
        </Button>
      }
    >
      <Card className={classes.goal}>
        <Async of={useMonth(month)} skeleton={<Skeletons count={1} height={96} />}>
          {(summary) => (
            <>
              <div className={classes.glance}>
                <Link
                  to="/financeiro?figura=recebido"
                  className={classes.glanceOpen}
                  aria-label={`Recebido: ${formatMoney(summary.recebido)}. Ver de onde vem`}
                >
                  <Money cents={summary.recebido} />
                </Link>
                <span className={classes.quiet}>recebido</span>
              </div>
              <GoalProgress summary={summary} />
            </>
          )}
        </Async>
        <YearBars month={month} />
      </Card>
    </Section>
  );
}

function YearBars({ month }: { month: Month }) {
  const year = month.slice(0, 4);
  return (
    <Async of={useYear(year)} skeleton={<Skeletons count={1} height={124} />}>
      {({ meses }) => (
        <Bars
          title={`Recebido e previsto em ${year}`}
          words={{ certain: 'recebido', expected: 'previsto' }}
          chosen={meses.findIndex(({ mes }) => mes === month)}
          format={formatMoney}
          bars={meses.map(({ mes, recebido, previsto }) => ({
            letter: formatShortMonth(mes).charAt(0).toUpperCase(),
            name: formatMonth(mes),
            certain: recebido,
            expected: previsto,
          }))}
        />
      )}
    </Async>
  );
}
