import { Button } from '@mantine/core';
import { useState } from 'react';
import { wordFor } from '../../../../backend/platform/plural.api.js';
import { addMinutes, formatTime, instantOf, timeOf, type Day, type Time } from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { useWeekOf } from './agenda.queries.js';
import { CompleteButton } from './complete-button.js';
import { type DayRow, dayRows } from './day-rows.js';
import { useTimesOf } from './free-times.queries.js';
import { partsByDay, type Stretch } from './grid-layout.js';
import { sessionsOfDay } from './hours.js';
import { isUnanswered } from './next-session.js';
import type { ShownSession } from './pending-session.js';
import { placeOf, sessionAddress, StatusMark } from './session-status.js';
import classes from './dashboard.module.css';

/** Settled sessions of the morning fold away once there are more of them. */
const FOLD_FROM = 3;

const clock = (minute: number): Time => addMinutes('00:00', minute);

/** Today's sessions, the free times between them and the current time. `hero`: the session whose action is shown above. */
export function Today({ hero }: { hero: string | undefined }) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const [unfolded, setUnfolded] = useState(false);
  const { data = [] } = useWeekOf(today);
  const times = useTimesOf(today, today).data;
  const sessions = sessionsOfDay(data, today, zone);
  const rows = dayRows(partsByDay(sessions, [today], zone).get(today) ?? [], {
    now,
    isPast: false,
    free: times && (times.get(today)?.free ?? NOTHING),
    blocked: times?.get(today)?.blocked.filter(({ tipo }) => tipo !== 'ferias'),
  });
  if (rows.every(({ kind }) => kind === 'now')) return null;

  const instant = instantOf(today, now, zone);
  const isSettled = (row: DayRow<ShownSession>) =>
    row.kind === 'session' && row.session.status !== 'agendada' && row.session.fim <= instant;
  const settled = rows.findIndex((row) => !isSettled(row));
  const past = settled === -1 ? rows.length : settled;
  const folded = unfolded || past < FOLD_FROM ? 0 : past;
  const done = sessions.filter(({ status }) => status === 'feita').length;
  const live = sessions.filter(({ status }) => status !== 'cancelada').length;

  return (
    <Section
      title="Agenda de hoje"
      action={
        live > 0 && (
          <span className={classes.hourCount}>
            {done} de {live} {wordFor(live, 'feita', 'feitas')}
          </span>
        )
      }
    >
      <Card flush>
        {folded > 0 && (
          <Button variant="subtle" fullWidth onClick={() => setUnfolded(true)}>
            Mostrar {folded} que já passaram
          </Button>
        )}
        {rows.slice(folded).map((row) => {
          if (row.kind === 'now') return <Now key="now" time={now} />;
          if (row.kind === 'gap') return <Gap key={`gap-${row.at}`} day={today} {...row} />;
          if (row.kind === 'blocked')
            return (
              <Row key={`blocked-${row.at}`} muted lead={<At time={clock(row.at)} />} title={row.label} />
            );
          const { session } = row;
          const hasBegun = session.inicio <= instant && session.id !== hero;
          return <Line key={session.id} session={session} hasBegun={hasBegun} />;
        })}
      </Card>
    </Section>
  );
}

const NOTHING: readonly Stretch[] = [];

const At = ({ time }: { time: Time }) => <strong className={classes.hourTime}>{formatTime(time)}</strong>;

function Now({ time }: { time: Time }) {
  return (
    <div className={classes.now}>
      <Icon name="clock" size={14} /> agora, {formatTime(time)}
    </div>
  );
}

/** A free time, which a tap books. */
function Gap({ day, at, end }: { day: Day; at: number; end: number }) {
  const query = new URLSearchParams({ dia: day, novo: 'agendamento', em: day, as: clock(at) });
  return (
    <div className={classes.gap}>
      <Row
        to={`/agenda?${query.toString()}`}
        lead={<At time={clock(at)} />}
        title={`Livre até ${formatTime(clock(end))}`}
        trail={<span className={classes.book}>Agendar</span>}
      />
    </div>
  );
}

function Line({ session, hasBegun }: { session: ShownSession; hasBegun: boolean }) {
  const zone = useZone();
  const unanswered = isUnanswered(session);
  return (
    <Row
      to={sessionAddress(session, zone)}
      muted={session.status === 'cancelada'}
      lead={<At time={timeOf(session.inicio, zone)} />}
      title={session.student_nome ?? 'Aluno apagado'}
      facts={
        <span className={classes.hourFacts}>
          <StatusMark status={session.status} />
          {placeOf(session)}
          {unanswered && ' · a confirmar'}
          {session.sem_credito && ' · sem crédito'}
          {session.pendente && <PendingMark />}
        </span>
      }
      actions={
        session.status === 'agendada' && hasBegun && !unanswered && <CompleteButton session={session} />
      }
    />
  );
}
