import type { ChangedLine, MonthChanges } from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatDate, formatMoment, type Moment, type Month } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { addressOf, lineTitle } from './figure-sheet.js';
import classes from './finance.module.css';
import { useMonthChanges } from './finance.queries.js';

const figures = [
  ['recebido', 'Recebido'],
  ['despesas', 'Despesas'],
  ['previsto', 'Previsto'],
] as const;

/** What changed in the month since the moment: the figures then and now, and each line that makes the difference. */
export function MonthChangesSection({ month, moment }: { month: Month; moment: Moment }) {
  const changes = useMonthChanges(month, moment.at);
  const first = changes.data?.pages[0];
  return (
    <Section title="Mudou desde então">
      {first?.valores && <Figures values={first.valores} />}
      <InfiniteList
        of={changes}
        manual
        failure="Erro ao buscar dados financeiros"
        empty={
          first?.previsto?.items.length ? null : (
            <Card>
              <Notice icon="check" title="Nada mudou neste mês desde então" />
            </Card>
          )
        }
      >
        {(items) => (
          <Card flush>
            {items.map((line) => (
              <Change key={line.id} line={line} moment={moment} />
            ))}
          </Card>
        )}
      </InfiniteList>
      {first?.previsto && <Expected {...first.previsto} moment={moment} />}
    </Section>
  );
}

const signed = (cents: number) => `${cents > 0 ? '+' : ''}${formatMoney(cents)}`;

function Figures({ values }: { values: NonNullable<MonthChanges['valores']> }) {
  const moved = figures.filter(([name]) => values[name].antes !== values[name].agora);
  if (moved.length === 0) return null;
  return (
    <Card>
      <dl className={classes.moved}>
        {moved.map(([name, label]) => {
          const { antes, agora } = values[name];
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                {formatMoney(antes)} → {formatMoney(agora)} <strong>{signed(agora - antes)}</strong>
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}

function Expected({ items, resto, moment }: NonNullable<MonthChanges['previsto']> & { moment: Moment }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3 className={classes.day}>Previsto</h3>
      <Card flush>
        {items.map((line) => (
          <Change key={`${line.origem}-${line.id}`} line={line} moment={moment} />
        ))}
      </Card>
      {resto.quantidade > 0 && (
        <Quiet>
          {`E mais ${plural(resto.quantidade, 'linha', 'linhas')}, que somam ${signed(resto.valor)}.`}
        </Quiet>
      )}
    </>
  );
}

/** Where nobody did anything: the month ended, or the plan of the student has another price. */
const BY_ITSELF = 'O mês passou sem esta cobrança, ou o plano mudou';

function Change({ line, moment }: { line: ChangedLine; moment: Moment }) {
  const zone = useZone();
  const { mudanca, figura, valor, data } = line;
  const who = mudanca?.quem?.nome;
  return (
    <Row
      to={`${addressOf(line, moment)}${line.origem === 'lancamento' ? '&agora=1' : ''}`}
      title={lineTitle(line)}
      facts={
        mudanca
          ? [mudanca.texto, who, formatMoment(mudanca.quando, zone)].filter(Boolean).join(' · ')
          : `${formatDate(data)} · ${BY_ITSELF}`
      }
      trail={<Money cents={figura === 'despesas' ? -valor : valor} signed strong />}
    />
  );
}
