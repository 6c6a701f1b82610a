import { Button, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { plural, wordFor } from '../../../../backend/platform/plural.api.js';
import type { Dashboard, Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { useHasLoaded } from '../../lib/has-loaded.js';
import { dayOf, formatDay, formatLongDay, formatTime, timeOf } from '../../lib/dates.js';
import { greeting } from '../../lib/greeting.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Bar, BarAction } from '../../ui/bar.js';
import { Card } from '../../ui/card.js';
import { ChipLine, LinkChip } from '../../ui/chip.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Stat, StatStrip } from '../../ui/stat.js';
import { Notice } from '../../ui/notice.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Icon } from '../../ui/icon.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './dashboard.module.css';
import { useDashboard, useSessionsToCharge } from './dashboard.queries.js';
import { type Steps, steps } from '../../parts/first-steps.js';
import { useTimesOf } from './free-times.queries.js';
import { sessionsOfDay } from './hours.js';
import { isUnanswered, laterSessions } from './next-session.js';
import { NextUp, type NextUpParts, useNext } from './next-up.js';
import type { ShownSession } from './pending-session.js';
import { placeOf, sessionAddress } from './session-status.js';
import { Today } from './today.js';

/** A read of a part of the page. */
interface PartRead {
  data: unknown;
  error: unknown;
  isLoading: boolean;
  refetch: () => unknown;
}

interface DashboardPageProps {
  name: string;
  email: string;
  /** The month against its goal, from another feature. */
  money: ReactNode;
  /** Chips of what waits. */
  chips: ReactNode;
  /** Of the hero. */
  next: NextUpParts;
  /** The reads of these parts. */
  reads: readonly PartRead[];
}

/** The dashboard: what is now or next, what waits, then the day and the month; for a new account, its first steps. */
export function DashboardPage({ money, chips, next, reads, ...person }: DashboardPageProps) {
  const today = useToday();
  const dashboard = useDashboard();
  const parts: PartRead[] = [useWeekOf(today), useSessionsToCharge(), useTimesOf(today, today), ...reads];
  // Shown only together with these reads, because content that arrives later would push other content down.
  const hasLoaded = useHasLoaded(parts.some(({ isLoading }) => isLoading));
  const failed = parts.filter(({ data, error }) => data === undefined && error);
  return (
    <Page title={greeting(person)} subtitle={<Capitalised text={formatLongDay(today)} />}>
      {dashboard.data && failed.length > 0 && (
        <Bar
          icon="alert"
          actions={
            <BarAction onClick={() => failed.forEach(({ refetch }) => void refetch())}>
              Tentar de novo
            </BarAction>
          }
        >
          Parte desta tela não carregou.
        </Bar>
      )}
      <Async
        // Offline, what is stored on the device is shown at once.
        of={
          hasLoaded || dashboard.fetchStatus === 'paused'
            ? dashboard
            : { ...dashboard, data: undefined, isPending: true }
        }
        skeleton={<DashboardSkeleton />}
      >
        {(data) => <Glance data={data} money={money} chips={chips} parts={next} />}
      </Async>
    </Page>
  );
}

type GlanceProps = Pick<DashboardPageProps, 'money' | 'chips'> & { data: Dashboard; parts: NextUpParts };

function Glance({ data, money, chips, parts }: GlanceProps) {
  const { primeiros_passos: taken } = data;
  const next = useNext(data.proximas_sessoes);
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {next ? <NextUp session={next} {...parts} /> : taken.agendamento && <NoSession />}
        <ChipLine label="Pendências">{chips}</ChipLine>
        <FirstSteps taken={taken} />
        {taken.agendamento && <Today hero={next?.id} />}
      </div>
      {taken.aluno && (
        <div className={classes.column}>
          {money}
          <Counts data={data} />
          <NextSessions upcoming={data.proximas_sessoes} hero={next} />
        </div>
      )}
    </div>
  );
}

function Counts({ data }: { data: Dashboard }) {
  const zone = useZone();
  const today = useToday();
  const { data: week = [] } = useWeekOf(today);
  const done = sessionsOfDay(week, today, zone).filter(({ status }) => status === 'feita').length;
  return (
    <StatStrip>
      <Stat
        label="Hoje"
        value={data.hoje}
        caption={
          <>
            {wordFor(data.hoje, 'sessão agendada', 'sessões agendadas')}
            {/* Without it, none left would read as none today. */}
            {data.hoje === 0 && done > 0 && `, ${plural(done, 'feita', 'feitas')}`}
          </>
        }
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

function NoSession() {
  return (
    <Section title="Próximas Sessões">
      <Card>
        <Notice
          icon="calendar"
          title="Nenhuma sessão agendada"
          action={
            <Button component={Link} to="/agenda?novo=agendamento" variant="light">
              Agendar uma sessão
            </Button>
          }
        />
      </Card>
    </Section>
  );
}

/** The next sessions that are not already in today's timeline or above it. */
function NextSessions({ upcoming, hero }: { upcoming: readonly Session[]; hero: ShownSession | undefined }) {
  const zone = useZone();
  const today = useToday();
  const { data: week = [] } = useWeekOf(today);
  const later = laterSessions(week, upcoming, { today, zone, without: hero?.id });
  if (later.length === 0) return null;
  return (
    <Section title="Próximas Sessões">
      <Card flush>
        {later.map((session) => (
          <NextSession key={session.id} session={session} />
        ))}
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
          {isUnanswered(session) && ' · a confirmar'}
        </span>
      }
    />
  );
}

/** What helps beside the first steps, in any order; `lasting`: also after them, because sessions and charges lack something without it. */
const extras: readonly { step: keyof Steps; label: string; to: string; lasting: boolean }[] = [
  { step: 'local', label: 'Local', to: '/locais/novo', lasting: true },
  { step: 'pix', label: 'Chave Pix', to: '/ajustes/pix', lasting: true },
  { step: 'link', label: 'Link público', to: '/link-publico', lasting: false },
];

/** The first steps of a new account, in order; a step stays ticked once it was done. */
function FirstSteps({ taken }: { taken: Steps }) {
  const next = steps.find(({ step }) => !taken[step]);
  const count = steps.filter(({ step }) => taken[step]).length;
  const left = extras.filter(({ step, lasting }) => !taken[step] && (lasting || next));
  const whenever = left.length > 0 && (
    <div role="group" aria-label="Quando puder" className={classes.extras}>
      <span aria-hidden>Quando puder:</span>
      {left.map(({ step, label, to }) => (
        <LinkChip key={step} to={to}>
          {label}
        </LinkChip>
      ))}
    </div>
  );
  if (!next) return whenever;
  return (
    <Section
      title="Primeiros passos"
      action={<span className={classes.stepCount}>{`${count} de ${steps.length} feitos`}</span>}
    >
      <Card flush>
        <ol className={classes.steps}>
          {steps.map(({ step, title, facts, to }, index) => (
            <li key={step} data-next={step === next.step || undefined}>
              {taken[step] ? (
                <Row
                  muted
                  lead={<Mark done />}
                  title={
                    <>
                      {title}
                      <VisuallyHidden component="span">, feito</VisuallyHidden>
                    </>
                  }
                />
              ) : (
                <Row to={to} lead={<Mark number={index + 1} />} title={title} facts={facts} />
              )}
            </li>
          ))}
        </ol>
      </Card>
      {whenever}
    </Section>
  );
}

function Mark({ number, done = false }: { number?: number; done?: boolean }) {
  return (
    <span aria-hidden className={classes.mark} data-done={done || undefined}>
      {done ? <Icon name="check" size={18} /> : number}
    </span>
  );
}
