import type { Figure, FigureLine, MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatDate, formatMonth, type Month } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import classes from './finance.module.css';
import { useFigureLines } from './finance.queries.js';
import { allocationNames, percent } from './words.js';

/** The figures that can be opened; some are computed from the lines of another figure. */
export type Explained = Figure | 'ticket_medio' | 'aderencia' | 'reserva_sugerida';

const names: Record<Explained, string> = {
  recebido: 'Recebido',
  despesas: 'Despesas',
  lucro: 'Lucro',
  previsto: 'Previsto',
  ...allocationNames,
  ticket_medio: 'Ticket Médio',
  aderencia: 'Aderência',
  reserva_sugerida: 'Reserva sugerida',
};

export const isExplained = (name: string | null): name is Explained =>
  name !== null && Object.hasOwn(names, name);

/** The figure whose lines are shown. */
const sourceOf = (figure: Explained): Figure =>
  figure === 'ticket_medio' || figure === 'aderencia' || figure === 'reserva_sugerida' ? 'recebido' : figure;

interface FigureSheetProps {
  /** The sheet is open while this is set. */
  figure: Explained | null;
  summary: MonthSummary;
  onClose: () => void;
}

/** "De onde vem este número": the lines of a figure, which add up to it. */
export function FigureSheet({ figure, summary, onClose }: FigureSheetProps) {
  return (
    <Sheet opened={figure !== null} onClose={onClose} title={figure ? names[figure] : ''}>
      {figure && <Lines figure={figure} summary={summary} />}
    </Sheet>
  );
}

function Lines({ figure, summary }: { figure: Explained; summary: MonthSummary }) {
  const lines = useFigureLines(summary.mes, sourceOf(figure));
  const total = lines.data?.pages[0]?.total;
  return (
    <div className={classes.detail}>
      <p className={classes.quiet}>De onde vem este número, em {formatMonth(summary.mes)}:</p>
      <InfiniteList
        of={lines}
        failure="Erro ao buscar dados financeiros"
        empty={<Notice icon="wallet" title="Nenhuma linha neste mês" />}
      >
        {(items) => (
          <Card flush>
            {items.map((line) => (
              <Line key={`${line.origem}-${line.id}`} line={line} month={summary.mes} />
            ))}
          </Card>
        )}
      </InfiniteList>
      {total !== undefined && (
        <dl className={classes.sum}>
          <dt>{figure === sourceOf(figure) ? 'Soma das linhas' : 'Recebido'}</dt>
          <dd>
            <Money cents={total} />
          </dd>
          <Formula figure={figure} summary={summary} />
        </dl>
      )}
    </div>
  );
}

/** Where a line leads: to its entry, its charge, or the student whose monthly plan it is. */
function addressOf({ origem, id }: FigureLine, month: Month): string {
  switch (origem) {
    case 'lancamento':
      return `/financeiro?mes=${month}&transacao=${id}`;
    case 'cobranca':
      return `/cobrancas?cobranca=${id}`;
    case 'mensalidade':
      return `/alunos/${id}`;
  }
}

function Line({ line, month }: { line: FigureLine; month: Month }) {
  const { titulo, aluno, estorno, data, origem, valor } = line;
  const who = aluno ? `${aluno.split(' ')[0]} · ` : '';
  const kinds = { lancamento: 'lançamento', cobranca: 'cobrança', mensalidade: 'mensalidade a cobrar' };
  return (
    <Row
      to={addressOf(line, month)}
      title={`${estorno ? 'Estorno: ' : ''}${who}${titulo ?? 'Sem descrição'}`}
      facts={`${formatDate(data)} · ${kinds[origem]}`}
      trail={<Money cents={valor} signed={valor < 0} className={classes.amount} />}
    />
  );
}

/** Explains how a figure is computed from the received amount. */
function Formula({ figure, summary }: { figure: Explained; summary: MonthSummary }) {
  const { receitas, ticket_medio, meta, aderencia, reserva_sugerida } = summary;
  const words = {
    ticket_medio: [
      `Dividido por ${plural(receitas, 'receita', 'receitas')}`,
      ticket_medio === null ? '—' : formatMoney(ticket_medio),
    ],
    aderencia: [`Dividido pela meta de ${formatMoney(meta)}`, `${percent.format(aderencia)}%`],
    reserva_sugerida: ['Parte que vai para a reserva', formatMoney(reserva_sugerida)],
  } as const;
  if (!(figure in words)) return null;
  const [label, value] = words[figure as keyof typeof words];
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
