import { plural } from '../../../../backend/platform/plural.api.js';
import type { ReactNode } from 'react';
import { allocationKind, type MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { addMonths, formatShortMonth, monthOf } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Change, FigureButton, Stat, StatGrid } from '../../ui/stat.js';
import classes from './finance.module.css';
import type { Explained } from './figure-part.js';
import { GoalProgress } from './goal-progress.js';
import { allocationNames, percent } from './words.js';

interface MonthFiguresProps {
  summary: MonthSummary;
  /** Opens the lines of a figure. */
  onExplain: (figure: Explained) => void;
}

export function MonthFigures({ summary, onExplain }: MonthFiguresProps) {
  const before = formatShortMonth(monthOf(addMonths(`${summary.mes}-01`, -1)));
  const isToCome = summary.mes > monthOf(useToday());
  const changed = (value: number | null) => !isToCome && <Change value={value} against={before} />;
  return (
    <>
      <Goal summary={summary} onExplain={onExplain} />
      <StatGrid>
        <Stat
          label="Lucro"
          onOpen={() => onExplain('lucro')}
          isAmount
          value={<Money cents={summary.lucro} />}
          caption={changed(summary.variacao.lucro)}
        />
        <Stat
          label="Despesas"
          onOpen={() => onExplain('despesas')}
          isAmount
          value={<Money cents={summary.despesas} />}
          caption={
            summary.recebido > 0 &&
            `${percent.format((summary.despesas / summary.recebido) * 100)}% do recebido`
          }
        />
        <Stat
          label="Ticket Médio"
          onOpen={() => onExplain('ticket_medio')}
          isAmount
          value={summary.ticket_medio === null ? '—' : <Money cents={summary.ticket_medio} />}
          caption={
            summary.ticket_medio === null ? 'sem receitas no mês' : changed(summary.variacao.ticket_medio)
          }
        />
        <Stat
          label="Aderência"
          onOpen={() => onExplain('aderencia')}
          isAmount
          value={`${percent.format(summary.aderencia)}%`}
          caption={changed(summary.variacao.aderencia)}
        />
        <Stat
          label="Previsto"
          onOpen={() => onExplain('previsto')}
          isAmount
          isExpected
          value={<Money cents={summary.previsto} />}
          caption="cobranças do mês"
        />
        <Stat
          label="Reserva sugerida"
          onOpen={() => onExplain('reserva_sugerida')}
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

/** What of the received amount is set aside for what. */
export const Division = ({ summary, onExplain }: MonthFiguresProps) => (
  <dl className={classes.flows}>
    {allocationKind.options.map((kind) => (
      <Flow key={kind} label={allocationNames[kind]} onOpen={() => onExplain(kind)}>
        <Money cents={summary.alocacoes[kind]} />
      </Flow>
    ))}
  </dl>
);

/** The month compared with its goal: received (solid) and still to come (outlined). */
function Goal({ summary, onExplain }: MonthFiguresProps) {
  const { recebido, sem_cobranca, previsto, ainda_entra, vencido, dias_restantes } = summary;
  const late =
    vencido > 0 && (vencido === ainda_entra ? ', tudo já vencido' : `, ${formatMoney(vencido)} já vencidos`);
  return (
    <Card className={classes.goal}>
      <div className={classes.goalHead}>
        <span>Recebido</span>
        <span>
          {dias_restantes === 0 ? 'Mês encerrado' : plural(dias_restantes, 'dia restante', 'dias restantes')}
        </span>
      </div>
      <button
        type="button"
        className={classes.received}
        aria-label={`Recebido: ${formatMoney(recebido)}. Ver de onde vem`}
        onClick={() => onExplain('recebido')}
      >
        <Money cents={recebido} />
      </button>
      {dias_restantes > 0 && ainda_entra > 0 && (
        <button
          type="button"
          className={classes.toCome}
          aria-label={`Ainda entra ${formatMoney(ainda_entra)}${late || ''}. Ver de onde vem`}
          onClick={() => onExplain('ainda_entra')}
        >
          Ainda entra <Money cents={ainda_entra} />
          {late && <span className={classes.overdue}>{late}</span>}
        </button>
      )}
      <GoalProgress summary={summary} />
      {recebido > previsto && sem_cobranca > 0 && (
        <p className={classes.pace}>Recebido inclui entradas sem cobrança.</p>
      )}
    </Card>
  );
}

interface FlowProps {
  label: string;
  onOpen: () => void;
  children: ReactNode;
}

/** A smaller figure that opens its lines. */
function Flow({ label, onOpen, children }: FlowProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <FigureButton label={label} onOpen={onOpen}>
          {children}
        </FigureButton>
      </dd>
    </div>
  );
}
