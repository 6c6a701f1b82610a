import type { ReactNode } from 'react';
import type {
  Forecast,
  ForecastStep,
  ForecastStepKind,
} from '../../../../backend/modules/finance/forecast.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { formatMonth, instantOf, type Moment, type Month, writtenMoment } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { isBeyond } from '../../ui/past.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Line } from './figure-sheet.js';
import finance from './finance.module.css';
import classes from './forecast.module.css';

const FORECAST = reads('forecast', ['charges', 'transactions', 'students', 'sessions', 'vacations']);

const names: Record<ForecastStepKind, string> = {
  pago_antes: 'Pago antes do mês',
  desconto: 'Descontos',
  estorno: 'Estornos',
  pausa: 'Alunos em pausa',
  ferias: 'Férias',
  falta: 'Faltas',
  desmarcada: 'Sessões desmarcadas',
  cancelada: 'Cobranças canceladas',
  encerrada: 'Mensalidades encerradas',
  adiada: 'Vencimento adiado',
  atraso: 'Em atraso',
  pago_depois: 'Pago depois do mês',
  a_vencer: 'Ainda a vencer',
  acrescimo: 'Acréscimos',
  atrasados: 'Atrasados de outros meses',
  adiantados: 'Adiantado de outros meses',
  novo_aluno: 'Alunos novos',
  planos: 'Pacotes e renovações',
  sessoes: 'Sessões avulsas',
  taxas: 'Taxas de faltas e cancelamentos',
  outras: 'Outras cobranças novas',
  sem_cobranca: 'Entradas sem cobrança',
};

interface ForecastSheetProps {
  opened: boolean;
  onClose: () => void;
}

interface ComparedProps {
  month: Month;
  /** When it was predicted; null for the month's first day. */
  moment: Moment | null;
}

/** The month from what was predicted to what was received, step by step. */
export const ForecastSheet = ({ opened, onClose, ...compared }: ForecastSheetProps & ComparedProps) => (
  <Sheet opened={opened} onClose={onClose} title="Do previsto ao recebido">
    {opened && <Compared {...compared} />}
  </Sheet>
);

function Compared({ month, moment }: ComparedProps) {
  const first = instantOf(`${month}-01`, '00:00', useZone());
  const at = moment?.at ?? first;
  const forecast = useAnswer([FORECAST, month, at], 'GET /finance/months/:month/forecast', {
    of: [month],
    query: { at },
  });
  if (isBeyond(forecast.error))
    return (
      <Notice icon="clock" title={`Sem previsão do começo de ${formatMonth(month)}`}>
        O Rende compara meses que começaram depois da criação da sua conta. Para comparar com outro momento,
        toque em Mais, “Ver como estava em…”.
      </Notice>
    );
  return (
    <Async
      of={forecast}
      failure="Erro ao buscar dados financeiros"
      skeleton={<Skeletons count={6} height={56} />}
    >
      {(data) =>
        data.previsto === 0 && data.passos.length === 0 ? (
          <Notice icon="wallet" title={`Nada previsto nem recebido em ${formatMonth(month)}`} />
        ) : (
          <Steps forecast={data} moment={moment} />
        )
      }
    </Async>
  );
}

interface StepsProps extends Pick<ComparedProps, 'moment'> {
  forecast: Forecast;
}

function Steps({ forecast: { mes, previsto, recebido, passos }, moment }: StepsProps) {
  const ends: number[] = [];
  for (const { valor } of passos) ends.push((ends.at(-1) ?? previsto) + valor);
  const highest = Math.max(previsto, recebido, ...ends, 1);
  const when = moment ? `Em ${writtenMoment(moment)}` : `No começo de ${formatMonth(mes)}`;
  const difference = recebido - previsto;
  return (
    <div className={finance.detail}>
      <Quiet>
        {`${when}, o previsto era ${formatMoney(previsto)}. `}
        {difference === 0
          ? 'Entrou exatamente isso.'
          : `Entraram ${formatMoney(recebido)}: ${formatMoney(Math.abs(difference))} a ${difference < 0 ? 'menos' : 'mais'}.`}
      </Quiet>
      <Card flush>
        <div className={classes.step}>
          <Figure
            name={moment ? 'Previsto' : 'Previsto no começo'}
            valor={previsto}
            kind="previsto"
            from={0}
            to={previsto / highest}
          />
        </div>
        {passos.map((step, n) => (
          <Step
            key={step.tipo}
            step={step}
            from={(ends[n - 1] ?? previsto) / highest}
            to={ends[n]! / highest}
          />
        ))}
        <div className={classes.step}>
          <Figure name="Recebido" valor={recebido} kind="recebido" from={0} to={recebido / highest} />
        </div>
      </Card>
    </div>
  );
}

interface Bar {
  /** Shares of the highest amount. */
  from: number;
  to: number;
}

/** Opens its lines. */
function Step({ step: { tipo, valor, linhas, resto }, ...bar }: { step: ForecastStep } & Bar) {
  return (
    <details className={classes.lines}>
      <summary className={classes.step}>
        <Figure name={names[tipo]} valor={valor} kind={valor < 0 ? 'menos' : 'mais'} {...bar}>
          <Icon name="down" size={16} />
        </Figure>
      </summary>
      {linhas.map((line) => (
        <Line key={`${line.origem}-${line.id}`} line={line} moment={null} />
      ))}
      {resto.quantidade > 0 && (
        <p className={classes.rest}>
          {`E mais ${plural(resto.quantidade, 'linha', 'linhas')}, que somam ${formatMoney(resto.valor)}.`}
        </p>
      )}
    </details>
  );
}

interface FigureProps extends Bar {
  name: string;
  valor: number;
  kind: 'previsto' | 'recebido' | 'mais' | 'menos';
  children?: ReactNode;
}

function Figure({ name, valor, kind, from, to, children }: FigureProps) {
  const [left, right] = [Math.max(0, Math.min(from, to)), Math.max(0, from, to)];
  const isStep = kind === 'mais' || kind === 'menos';
  return (
    <>
      <span className={classes.name}>
        {name}
        {children}
      </span>
      <Money cents={valor} signed={isStep} strong />
      <span className={classes.track} aria-hidden>
        <span data-kind={kind} style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
      </span>
    </>
  );
}
