import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { Money } from '../../ui/money.js';
import classes from './finance.module.css';
import { percent } from './words.js';

/** 80% and above success, 50% and above warning, below that destructive. Spec 2, section 4. */
const toneOf = (share: number): 'good' | 'warn' | 'bad' =>
  share >= 80 ? 'good' : share >= 50 ? 'warn' : 'bad';

/** Progress to the month's goal: received (solid) and still expected (outlined). */
export function GoalProgress({ summary: { recebido, previsto, meta } }: { summary: MonthSummary }) {
  const reached = meta > 0 ? (recebido / meta) * 100 : 0;
  const share = Math.min(reached, 100);
  // The expected amount includes the received one.
  const open = Math.max(previsto - recebido, 0);
  const expected = meta > 0 ? Math.min((open / meta) * 100, 100 - share) : 0;
  return (
    <>
      <Progress.Root size={12} radius="xl" className={classes.progress}>
        <Progress.Section
          value={share}
          className={classes.certain}
          data-tone={toneOf(share)}
          aria-label={`Meta do mês: ${percent.format(reached)}%`}
        />
        {expected > 0 && (
          <Progress.Section value={expected} className={classes.expected} aria-label="Previsto" />
        )}
      </Progress.Root>
      <div className={classes.goalHead}>
        <span>{percent.format(reached)}% da meta</span>
        <span>
          Meta do mês <Money cents={meta} />
        </span>
      </div>
    </>
  );
}
