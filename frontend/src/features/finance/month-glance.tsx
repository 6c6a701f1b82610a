import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatMonth, monthOf } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import classes from './finance.module.css';
import { useMonth } from './finance.queries.js';
import { GoalProgress } from './goal-progress.js';

export const useThisMonth = () => useMonth(monthOf(useToday()));

/** This month's receipts against its goal; renders nothing before they are loaded. */
export function MonthGlance() {
  const { data: summary } = useThisMonth();
  const month = monthOf(useToday());
  if (!summary) return null;
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
      </Card>
    </Section>
  );
}
