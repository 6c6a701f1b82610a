import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { formatMoney } from '../../lib/money.js';
import classes from './finance.module.css';
import { paceWords } from './pace.js';
import { percent } from './words.js';

/** 80% and above success, 50% and above warning, below that destructive. Spec 2, section 4. */
const toneOf = (share: number): 'good' | 'warn' | 'bad' =>
  share >= 80 ? 'good' : share >= 50 ? 'warn' : 'bad';

/** Progress to the month's goal: received (solid), overdue and still to come (outlined), and the pace in one sentence. */
export function GoalProgress({ summary }: { summary: MonthSummary }) {
  const { recebido, ainda_entra, vencido, meta, dias_restantes } = summary;
  const reached = meta > 0 ? (recebido / meta) * 100 : 0;
  const share = Math.min(reached, 100);
  const isOpen = meta > 0 && dias_restantes > 0;
  const overdue = isOpen ? Math.min((vencido / meta) * 100, 100 - share) : 0;
  const toCome = isOpen ? Math.min(((ainda_entra - vencido) / meta) * 100, 100 - share - overdue) : 0;
  const [pace] = paceWords(summary);
  return (
    <>
      <Progress.Root size={12} radius="xl" className={classes.progress}>
        <Progress.Section
          value={share}
          className={classes.certain}
          data-tone={toneOf(share)}
          aria-label={`Meta do mês: ${percent.format(reached)}%`}
        />
        {overdue > 0 && (
          <Progress.Section value={overdue} className={classes.expected} data-overdue aria-label="Vencido" />
        )}
        {toCome > 0 && (
          <Progress.Section value={toCome} className={classes.expected} aria-label="Ainda entra" />
        )}
      </Progress.Root>
      {meta > 0 && (
        <p className={classes.pace}>
          {percent.format(reached)}% da meta de {formatMoney(meta)}. {pace}
        </p>
      )}
    </>
  );
}
