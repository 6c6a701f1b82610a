import { plural } from '../../../../backend/platform/plural.api.js';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { addMonths, formatShortMonth, monthOf } from '../../lib/dates.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Change, Stat, StatGrid } from '../../ui/stat.js';
import classes from './finance.module.css';
import { GoalProgress } from './goal-progress.js';
import { percent } from './words.js';

export function MonthFigures({ summary }: { summary: MonthSummary }) {
  const before = formatShortMonth(monthOf(addMonths(`${summary.mes}-01`, -1)));
  return (
    <>
      <Goal summary={summary} />
      <StatGrid>
        <Stat
          label="Lucro"
          isAmount
          value={<Money cents={summary.lucro} />}
          caption={<Change value={summary.variacao.lucro} against={before} />}
        />
        <Stat
          label="Ticket Médio"
          isAmount
          value={summary.ticket_medio === null ? '—' : <Money cents={summary.ticket_medio} />}
          caption={<Change value={summary.variacao.ticket_medio} against={before} />}
        />
        <Stat
          label="Aderência"
          isAmount
          value={`${percent.format(summary.aderencia)}%`}
          caption={<Change value={summary.variacao.aderencia} against={before} />}
        />
        <Stat
          label="Reserva sugerida"
          isAmount
          value={<Money cents={summary.reserva_sugerida} />}
          caption={
            <>
              meta <Money cents={summary.meta_reserva} />
            </>
          }
        />
      </StatGrid>
    </>
  );
}

/** The month against its goal: what came in is solid, what is still expected only outlined. */
function Goal({ summary }: { summary: MonthSummary }) {
  const { recebido, previsto, despesas, dias_restantes } = summary;
  return (
    <Card className={classes.goal}>
      <div className={classes.goalHead}>
        <span>Recebido</span>
        <span>
          {dias_restantes === 0 ? 'Mês encerrado' : plural(dias_restantes, 'dia restante', 'dias restantes')}
        </span>
      </div>
      <div className={classes.received}>
        <Money cents={recebido} />
      </div>
      <GoalProgress summary={summary} />
      <dl className={classes.flows}>
        <div data-kind="expected">
          <dt>Previsto</dt>
          <dd>
            <Money cents={previsto} />
          </dd>
        </div>
        <div data-kind="spent">
          <dt>Despesas</dt>
          <dd>
            <Money cents={despesas} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
