import { Button } from '@mantine/core';
import { useState } from 'react';
import { wordFor } from '../../../../backend/platform/plural.api.js';
import { formatTime, instantOf, timeOf } from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { useWeekOf } from './agenda.queries.js';
import { CompleteButton } from './complete-button.js';
import { sessionsOfDay } from './hours.js';
import type { ShownSession } from './pending-session.js';
import { placeOf, sessionAddress, StatusMark } from './session-status.js';
import classes from './today.module.css';

/** Settled sessions of the morning fold away once there are more of them. */
const FOLD_FROM = 3;

/** The sessions of today, with a mark for the current time. Renders nothing on a day without sessions. */
export function Today() {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const [unfolded, setUnfolded] = useState(false);
  const { data = [] } = useWeekOf(today);
  const sessions = sessionsOfDay(data, today, zone);
  if (sessions.length === 0) return null;

  const instant = instantOf(today, now, zone);
  const next = sessions.findIndex(({ inicio }) => inicio > instant);
  const nowAt = next === -1 ? sessions.length : next;
  const settled = sessions.findIndex(({ status, fim }) => status === 'agendada' || fim > instant);
  const past = settled === -1 ? sessions.length : settled;
  const folded = unfolded || past < FOLD_FROM ? 0 : past;
  const done = sessions.filter(({ status }) => status === 'feita').length;
  const live = sessions.filter(({ status }) => status !== 'cancelada').length;

  return (
    <Section
      title="Agenda de hoje"
      action={
        live > 0 && (
          <span className={classes.count}>
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
        {sessions.slice(folded).map((session, index) => (
          <div key={session.id}>
            {index + folded === nowAt && <Now time={now} />}
            <Line session={session} />
          </div>
        ))}
        {nowAt === sessions.length && <Now time={now} />}
      </Card>
    </Section>
  );
}

function Now({ time }: { time: string }) {
  return (
    <div className={classes.now}>
      <Icon name="clock" size={14} /> agora, {formatTime(time)}
    </div>
  );
}

function Line({ session }: { session: ShownSession }) {
  const zone = useZone();
  return (
    <Row
      to={sessionAddress(session, zone)}
      muted={session.status === 'cancelada'}
      lead={<strong className={classes.time}>{formatTime(timeOf(session.inicio, zone))}</strong>}
      title={session.student_nome ?? 'Aluno apagado'}
      facts={
        <span className={classes.facts}>
          <StatusMark status={session.status} />
          {placeOf(session)}
          {session.sem_credito && ' · sem crédito'}
          {session.pendente && <PendingMark />}
        </span>
      }
      actions={session.status === 'agendada' && <CompleteButton session={session} />}
    />
  );
}
