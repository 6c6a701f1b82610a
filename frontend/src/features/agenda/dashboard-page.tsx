import { wordFor } from '../../../../backend/platform/plural.api.js';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Dashboard, Session, SessionToCharge } from '../../../../backend/modules/agenda/agenda.api.js';
import { useHasArrived } from '../../lib/has-arrived.js';
import {
  dayOf,
  formatDate,
  formatDay,
  formatLongDay,
  formatMoment,
  formatTime,
  timeOf,
} from '../../lib/dates.js';
import { greeting } from '../../lib/greeting.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Stat, StatStrip } from '../../ui/stat.js';
import { Notice } from '../../ui/notice.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './dashboard.module.css';
import { useDashboard, useSessionsToCharge } from './dashboard.queries.js';
import { areDone, FirstSteps } from './first-steps.js';
import { NextUp } from './next-up.js';
import { placeOf, sessionAddress } from './session-status.js';
import { byHour } from './shared-hours.js';
import { Today } from './today.js';

interface DashboardPageProps {
  name: string;
  email: string;
  /** Month figures; `credits`: students to renew. Both from other features. */
  money: ReactNode;
  /** Open charges; `waits`: whether they are loading. */
  charges: ReactNode;
  waits: boolean;
  credits: ReactNode;
  /** Today's tasks. */
  tasks: ReactNode;
}

/** The dashboard: first the next session and what to charge; for a new account, first steps instead of empty lists. */
export function DashboardPage({ money, charges, waits, credits, tasks, ...person }: DashboardPageProps) {
  const today = useToday();
  const dashboard = useDashboard();
  // Shown only together with these reads, because content that arrives later would push other content down.
  const hasArrived = useHasArrived(
    [useWeekOf(today).isLoading, useSessionsToCharge().isLoading, waits].includes(true),
  );
  return (
    <Page title={greeting(person)} subtitle={<Capitalised text={formatLongDay(today)} />}>
      <Async
        of={hasArrived ? dashboard : { ...dashboard, data: undefined, isPending: true }}
        skeleton={<DashboardSkeleton />}
      >
        {(data) => (
          <div className={classes.columns}>
            <div className={classes.column}>
              <NextUp upcoming={data.proximas_sessoes} />
              <ToCharge />
              {data.primeiros_passos.aluno && charges}
              {!areDone(data.primeiros_passos) && <FirstSteps taken={data.primeiros_passos} />}
              <StatStrip>
                <Stat
                  label="Hoje"
                  value={data.hoje}
                  caption={wordFor(data.hoje, 'sessão agendada', 'sessões agendadas')}
                />
                <Stat
                  label="Esta Semana"
                  value={data.esta_semana}
                  caption={wordFor(data.esta_semana, 'sessão programada', 'sessões programadas')}
                />
                <Stat
                  label="Total de Alunos"
                  value={data.total_alunos}
                  caption={wordFor(data.total_alunos, 'aluno cadastrado', 'alunos cadastrados')}
                />
                <Stat
                  label="Locais Ativos"
                  value={data.locais_ativos}
                  caption={wordFor(data.locais_ativos, 'local de atendimento', 'locais de atendimento')}
                />
              </StatStrip>
              <Today />
              {tasks}
              {data.primeiros_passos.agendamento && <NextSessions data={data} />}
            </div>
            {data.primeiros_passos.aluno && (
              <div className={classes.column}>
                {money}
                {credits}
              </div>
            )}
          </div>
        )}
      </Async>
    </Page>
  );
}

/** Skeleton of the page. */
function DashboardSkeleton() {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <Skeletons count={1} height={168} />
        <Skeletons count={3} />
        <Skeletons count={1} height={112} />
      </div>
      <div className={classes.column}>
        <Skeletons count={1} height={300} />
      </div>
    </div>
  );
}

const Capitalised = ({ text }: { text: string }) => <>{text.charAt(0).toUpperCase() + text.slice(1)}</>;

function NextSessions({ data }: { data: Dashboard }) {
  return (
    <Section title="Próximas Sessões">
      <Card flush>
        {byHour(data.proximas_sessoes).map((session) => (
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
      lead={<strong className={classes.time}>{formatTime(timeOf(session.inicio, zone))}</strong>}
      title={session.student_nome ?? 'Aluno não encontrado'}
      facts={
        <span title={formatLongDay(day)}>
          {formatDay(day, today)} · {placeOf(session)}
        </span>
      }
    />
  );
}

/** Unpaid sessions; renders nothing if there are none. */
function ToCharge() {
  const sessions = useSessionsToCharge();
  if (sessions.data?.pages[0]?.items.length === 0) return null;
  return (
    <Section title="Sessões a cobrar">
      <Card flush>
        <InfiniteList of={sessions} manual skeleton={<Skeletons count={2} />} empty={null}>
          {(items) => items.map((session) => <Charge key={session.id} session={session} />)}
        </InfiniteList>
      </Card>
    </Section>
  );
}

/** Address of a new charge's form, filled in for the session. */
function chargeOf({ id, student_id, inicio, sem_credito, a_cobrar }: SessionToCharge, zone: string): string {
  const what = sem_credito ? 'Sessão' : 'Taxa de cancelamento';
  const query = new URLSearchParams({
    ...{ novo: 'cobranca', aluno: student_id, sessao: id },
    ...(a_cobrar !== null && { valor: String(a_cobrar) }),
    texto: `${what} de ${formatDate(dayOf(inicio, zone))}`,
  });
  return `/cobrancas?${query.toString()}`;
}

function Charge({ session }: { session: SessionToCharge }) {
  const zone = useZone();
  const day = dayOf(session.inicio, zone);
  return (
    <Row
      to={session.student_nome === null ? sessionAddress(session, zone) : chargeOf(session, zone)}
      title={session.student_nome ?? 'Aluno apagado'}
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
