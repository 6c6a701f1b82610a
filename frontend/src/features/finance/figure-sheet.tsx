import { Button } from '@mantine/core';
import type {
  FigureLine,
  FigurePart,
  MonthSummary,
} from '../../../../backend/modules/finance/finance.api.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  formatDate,
  formatMonth,
  lastDayOf,
  type Moment,
  type Month,
  monthOf,
  writtenMoment,
} from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import {
  type Asked,
  askedIn,
  type Explained,
  monthsIn,
  overMonths,
  type PeriodSummary,
} from './figure-part.js';
import { StudentName } from '../../parts/student-field.js';
import { Why } from '../../parts/why.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import classes from './finance.module.css';
import { Division } from './month-figures.js';
import { useFigureLines, useMonths } from './finance.queries.js';
import { paceWords } from './pace.js';
import { allocationNames, methods, percent } from './words.js';

const names: Record<Explained, string> = {
  recebido: 'Recebido',
  despesas: 'Despesas',
  lucro: 'Lucro',
  previsto: 'Previsto',
  ainda_entra: 'Ainda entra',
  ...allocationNames,
  ticket_medio: 'Ticket Médio',
  aderencia: 'Aderência',
  reserva_sugerida: 'Reserva sugerida',
};

interface FigureSheetProps {
  /** Parameters of the address; the sheet is open while they ask for a figure. */
  search: URLSearchParams;
  summary: MonthSummary;
  /** The past moment that is shown; null: now. */
  moment: Moment | null;
  /** Shows another figure instead. */
  onExplain: (figure: Explained) => void;
  /** Shows how the month went from what was predicted to what was received. */
  onForecast: () => void;
  onClose: () => void;
}

/** "De onde vem este número": the lines of a figure, or of a part of it, which add up to it. */
export function FigureSheet({ search, onClose, ...shown }: FigureSheetProps) {
  const asked = askedIn(search, shown.summary.mes);
  return (
    <Sheet opened={asked !== null} onClose={onClose} title={asked ? names[asked.figure] : ''}>
      {asked && <Lines {...asked} {...shown} />}
    </Sheet>
  );
}

/** `novembro`, `de setembro de 2025 a novembro de 2026`, `26/11/2026`. */
function inDays({ de, ate }: FigurePart): string {
  const [first, last] = [monthOf(de), monthOf(ate)];
  const isWhole = de === `${first}-01` && ate === lastDayOf(last);
  if (!isWhole) return de === ate ? `em ${formatDate(de)}` : `de ${formatDate(de)} a ${formatDate(ate)}`;
  if (first === last) return `em ${formatMonth(first)}`;
  const year = (month: Month) => (first.slice(0, 4) === last.slice(0, 4) ? '' : ` de ${month.slice(0, 4)}`);
  return `de ${formatMonth(first)}${year(first)} a ${formatMonth(last)}${year(last)}`;
}

type LinesProps = Asked & Omit<FigureSheetProps, 'search' | 'onClose'>;

function Lines({ figure, part, summary, moment, onExplain, onForecast }: LinesProps) {
  const today = useToday();
  const lines = useFigureLines(part, moment?.at);
  const total = lines.data?.pages[0]?.total;
  const { student_id, metodo_pagamento, categoria } = part;
  const months = monthsIn(part);
  const pace = paceWords(summary);
  const isWholeMonth = part.de === `${summary.mes}-01` && part.ate === lastDayOf(summary.mes);
  return (
    <div className={classes.detail}>
      {figure === 'recebido' && isWholeMonth && !student_id && !metodo_pagamento && !categoria && (
        <Section title="Divisão do recebido">
          <Division summary={summary} onExplain={onExplain} />
        </Section>
      )}
      {figure === 'previsto' && isWholeMonth && (
        <>
          {summary.mes <= monthOf(today) && (
            <Button variant="default" onClick={onForecast}>
              Do previsto ao recebido
            </Button>
          )}
          {!moment && <Why of={`expected:${summary.mes}`} />}
        </>
      )}
      {figure === 'aderencia' && isWholeMonth && pace.length > 0 && (
        <p className={classes.pace}>{pace.join(' ')}</p>
      )}
      <Quiet>
        De onde vem este número, {inDays(part)}
        {moment && `, como estava em ${writtenMoment(moment)}`}
        {student_id && (
          <>
            , só <StudentName id={student_id} />
          </>
        )}
        {metodo_pagamento && `, só ${methods[metodo_pagamento].label}`}
        {categoria && `, só ${categoryNames[categoria]}`}:
      </Quiet>
      {figure === 'ainda_entra' && (
        <Quiet>
          O que falta pagar das cobranças que vencem nesses dias, e as mensalidades ainda a cobrar.
        </Quiet>
      )}
      <InfiniteList
        of={lines}
        failure="Erro ao buscar dados financeiros"
        empty={<Notice icon="wallet" title="Nenhum lançamento" />}
      >
        {(items) => (
          <Card flush>
            {items.map((line) => (
              <Line key={`${line.origem}-${line.id}-${line.data}`} line={line} moment={moment} />
            ))}
          </Card>
        )}
      </InfiniteList>
      {total !== undefined && (
        <dl className={classes.sum}>
          <dt>{figure === part.figura ? 'Soma das linhas' : 'Recebido'}</dt>
          <dd>
            <Money cents={total} />
          </dd>
          {months.length === 1 ? (
            <Formula figure={figure} summary={summary} />
          ) : (
            figure !== part.figura && <FormulaOver figure={figure} months={months} at={moment?.at} />
          )}
        </dl>
      )}
    </div>
  );
}

/** Where a line leads: to its entry, as it was; to its charge, or the student whose monthly plan it is, as they are. */
export function addressOf({ origem, id, data }: FigureLine, moment: Moment | null): string {
  switch (origem) {
    case 'lancamento':
      return `/financeiro?mes=${monthOf(data)}&transacao=${id}${moment ? `&em=${moment.em}` : ''}`;
    case 'cobranca':
      return `/cobrancas?cobranca=${id}`;
    case 'mensalidade':
      return `/alunos/${id}`;
  }
}

/** `Estorno: Ana · Plano` */
export const lineTitle = ({ titulo, aluno, estorno }: FigureLine): string =>
  `${estorno ? 'Estorno: ' : ''}${aluno ? `${firstName(aluno)} · ` : ''}${titulo ?? 'Sem descrição'}`;

export function Line({ line, moment }: { line: FigureLine; moment: Moment | null }) {
  const { data, origem, valor } = line;
  const kinds = { lancamento: 'lançamento', cobranca: 'cobrança', mensalidade: 'mensalidade a cobrar' };
  return (
    <Row
      to={addressOf(line, moment)}
      title={lineTitle(line)}
      facts={`${formatDate(data)} · ${kinds[origem]}`}
      trail={<Money cents={valor} signed={valor < 0} strong />}
    />
  );
}

/** How a figure of several months is computed. */
function FormulaOver({ figure, months, at }: { figure: Explained; months: Month[]; at: string | undefined }) {
  const summaries = useMonths(months, at);
  return summaries && <Formula figure={figure} summary={overMonths(summaries)} />;
}

/** Explains how a figure is computed from the received amount. */
function Formula({ figure, summary }: { figure: Explained; summary: PeriodSummary }) {
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
