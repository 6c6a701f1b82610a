import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { addMonths, formatShortMonth, monthOf } from '../../lib/dates.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Change, Stat, StatGrid } from '../../ui/stat.js';
import classes from './finance.module.css';

const percent = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** 80% and above success, 50% and above warning, below that destructive. Spec 2, section 4. */
const toneOf = (share: number): 'good' | 'warn' | 'bad' =>
  share >= 80 ? 'good' : share >= 50 ? 'warn' : 'bad';

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
  const { recebido, previsto, despesas, meta, dias_restantes } = summary;
  const share = meta > 0 ? Math.min((recebido / meta) * 100, 100) : 0;
  const expected = meta > 0 ? Math.min((previsto / meta) * 100, 100 - share) : 0;
  return (
    <Card className={classes.goal}>
      <div className={classes.goalHead}>
        <span>Recebido</span>
        <span>
          {dias_restantes === 0
            ? 'Mês encerrado'
            : `${dias_restantes} ${dias_restantes === 1 ? 'dia restante' : 'dias restantes'}`}
        </span>
      </div>
      <div className={classes.received}>
        <Money cents={recebido} />
      </div>
      <Progress.Root size={12} radius="xl" className={classes.progress}>
        <Progress.Section
          value={share}
          className={classes.certain}
          data-tone={toneOf(share)}
          aria-label={`Meta do mês: ${percent.format(share)}%`}
        />
        {expected > 0 && (
          <Progress.Section value={expected} className={classes.expected} aria-label="Previsto" />
        )}
      </Progress.Root>
      <div className={classes.goalHead}>
        <span>{percent.format(share)}% da meta</span>
        <span>
          Meta do mês <Money cents={meta} />
        </span>
      </div>
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
