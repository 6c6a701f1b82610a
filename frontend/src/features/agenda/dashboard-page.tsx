import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Dashboard, Session, SessionToCharge } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDay, formatLongDay, formatMoment, timeOf } from '../../lib/dates.js';
import { greeting } from '../../lib/greeting.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Stat, StatGrid } from '../../ui/stat.js';
import { Notice } from '../../ui/notice.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './dashboard.module.css';
import { useDashboard, useSessionsToCharge } from './dashboard.queries.js';
import { placeOf, sessionAddress } from './session-status.js';
import { Today } from './today.js';

interface DashboardPageProps {
  name: string;
  email: string;
  /** How the month's money stands, and whose credits run out: other features. */
  money: ReactNode;
  credits: ReactNode;
}

export function DashboardPage({ money, credits, ...person }: DashboardPageProps) {
  const today = useToday();
  const dashboard = useDashboard();
  // Read beside it and shown with it: today's sessions stand above the next ones and would push them down.
  const { isLoading } = useWeekOf(today);
  return (
    <Page title={greeting(person)} subtitle={<Capitalised text={formatLongDay(today)} />}>
      <Async
        of={isLoading ? { ...dashboard, data: undefined, isPending: true } : dashboard}
        skeleton={
          <>
            <Skeletons count={4} height={80} layout="grid" />
            <div className={classes.gap} />
            <Skeletons count={3} />
          </>
        }
      >
        {(data) => (
          <>
            <StatGrid counts>
              <Stat label="Hoje" value={data.hoje} caption="sessões agendadas" />
              <Stat label="Esta Semana" value={data.esta_semana} caption="sessões programadas" />
              <Stat label="Total de Alunos" value={data.total_alunos} caption="alunos cadastrados" />
              <Stat label="Locais Ativos" value={data.locais_ativos} caption="locais de atendimento" />
            </StatGrid>
            <div className={classes.columns}>
              <div className={classes.column}>
                <Today />
                <NextSessions data={data} />
                <ToCharge />
              </div>
              <div className={classes.column}>
                {money}
                {credits}
              </div>
            </div>
          </>
        )}
      </Async>
    </Page>
  );
}

const Capitalised = ({ text }: { text: string }) => <>{text.charAt(0).toUpperCase() + text.slice(1)}</>;

function NextSessions({ data }: { data: Dashboard }) {
  return (
    <Section title="Próximas Sessões">
      <Card flush>
        {data.proximas_sessoes.map((session) => (
          <NextSession key={session.id} session={session} />
        ))}
        {data.proximas_sessoes.length === 0 && (
          <Notice
            icon="calendar"
            title="Nenhuma sessão agendada"
            action={
              <Button component={Link} to="/agenda?novo=agendamento" variant="light">
                Agendar uma sessão
              </Button>
            }
          />
        )}
      </Card>
    </Section>
  );
}

function NextSession({ session }: { session: Session }) {
  const zone = useZone();
  const today = useToday();
  const day = dayOf(session.inicio, zone);
  return (
    <Row
      to={sessionAddress(session, zone)}
      lead={<strong className={classes.time}>{timeOf(session.inicio, zone)}</strong>}
      title={session.student_nome ?? 'Aluno não encontrado'}
      facts={
        <span title={formatLongDay(day)}>
          {formatDay(day, today)} · {placeOf(session)}
        </span>
      }
    />
  );
}

function ToCharge() {
  return (
    <Section title="Sessões a cobrar">
      <Card flush>
        <InfiniteList
          of={useSessionsToCharge()}
          manual
          skeleton={<Skeletons count={2} />}
          empty={
            <Notice icon="check" title="Nada a cobrar">
              Sessões feitas sem crédito e taxas de cancelamento aparecem aqui.
            </Notice>
          }
        >
          {(items) => items.map((session) => <Charge key={session.id} session={session} />)}
        </InfiniteList>
      </Card>
    </Section>
  );
}

function Charge({ session }: { session: SessionToCharge }) {
  const zone = useZone();
  const day = dayOf(session.inicio, zone);
  return (
    <Row
      to={sessionAddress(session, zone)}
      title={session.student_nome ?? 'Aluno esquecido'}
      facts={
        <span title={formatLongDay(day)}>
          {formatMoment(session.inicio, zone)} ·{' '}
          {session.sem_credito ? 'sem crédito' : 'taxa de cancelamento'}
        </span>
      }
      trail={
        session.a_cobrar === null ? (
          <Tag tone="warn">valor a definir</Tag>
        ) : (
          <Money cents={session.a_cobrar} className={classes.amount} />
        )
      }
    />
  );
}
