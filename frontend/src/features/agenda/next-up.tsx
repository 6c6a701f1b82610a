import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatTime, instantOf, timeOf } from '../../lib/dates.js';
import { useDoneHere } from '../../lib/pending.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './next-up.module.css';
import { nextSession, timeUntil } from './next-session.js';
import { placeOf, sessionAddress } from './session-status.js';
import { useSessionActions } from './use-session-actions.js';

/** The current or next session with its main action; renders nothing without one. */
export function NextUp({ upcoming }: { upcoming: readonly Session[] }) {
  const zone = useZone();
  const today = useToday();
  const now = instantOf(today, useTimeNow(), zone);
  const writes = useDoneHere();
  const { data: week = [] } = useWeekOf(today);
  const session = nextSession(week, upcoming, writes, now);
  if (!session) return null;

  const isToday = dayOf(session.inicio, zone) === today;
  const address = sessionAddress(session, zone);
  return (
    <Section title="A seguir">
      <Card className={classes.next}>
        <Link to={address} className={classes.session}>
          <strong className={classes.time}>{formatTime(timeOf(session.inicio, zone))}</strong>
          <span className={classes.words}>
            <span className={classes.name}>{session.student_nome ?? 'Aluno apagado'}</span>
            <span className={classes.facts}>
              {placeOf(session)} · {timeUntil(session, now, zone)}
            </span>
          </span>
        </Link>
        {isToday ? (
          <Complete key={session.id} session={session} hasBegun={session.inicio <= now} />
        ) : (
          <Button component={Link} to={address} variant="light">
            Ver sessão
          </Button>
        )}
      </Card>
    </Section>
  );
}

function Complete({ session, hasBegun }: { session: Session; hasBegun: boolean }) {
  const { complete, busy } = useSessionActions(session);
  return (
    <Button
      variant={hasBegun ? 'filled' : 'light'}
      loading={busy}
      onClick={complete}
      aria-label={`Marcar como feita: ${session.student_nome ?? 'Aluno apagado'}`}
      leftSection={<Icon name="check" />}
    >
      Marcar como feita
    </Button>
  );
}
