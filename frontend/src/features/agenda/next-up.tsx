import { Button } from '@mantine/core';
import { Suspense, type ComponentType } from 'react';
import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatTime, formatWeekday, instantOf, timeOf } from '../../lib/dates.js';
import { useDoneHere } from '../../lib/pending.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './dashboard.module.css';
import { isUnanswered, nextSession, timeUntil } from './next-session.js';
import type { ShownSession } from './pending-session.js';
import { placeOf, sessionAddress } from './session-status.js';
import type { ConfirmVisitProps } from './student-parts.js';
import { useSessionActions } from './use-session-actions.js';

/** The session that is running, or else the next one. */
export function useNext(upcoming: readonly Session[]): ShownSession | undefined {
  const zone = useZone();
  const today = useToday();
  const now = instantOf(today, useTimeNow(), zone);
  const { data: week = [] } = useWeekOf(today);
  return nextSession(week, upcoming, useDoneHere(), now);
}

/** Parts of other features. */
export interface NextUpParts {
  ConfirmVisit: ComponentType<ConfirmVisitProps>;
  /** What the student asked for; renders nothing without a request. */
  RequestMark: ComponentType<{ sessionIds: readonly string[] }>;
}

interface NextUpProps extends NextUpParts {
  session: ShownSession;
}

/** The current or next session with its one action. */
export function NextUp({ session, ConfirmVisit, RequestMark }: NextUpProps) {
  const zone = useZone();
  const today = useToday();
  const now = instantOf(today, useTimeNow(), zone);
  const day = dayOf(session.inicio, zone);
  const address = sessionAddress(session, zone);
  const unanswered = isUnanswered(session);
  const opening = (
    <Button component={Link} to={address} variant="light">
      Abrir
    </Button>
  );
  return (
    <Section title="A seguir">
      <Card className={classes.next} data-unanswered={unanswered || undefined}>
        <Link to={address} className={classes.session}>
          <strong className={classes.nextTime}>
            {day !== today && <small>{formatWeekday(day)}</small>} {formatTime(timeOf(session.inicio, zone))}
          </strong>
          <span className={classes.words}>
            <span className={classes.name}>{session.student_nome ?? 'Aluno apagado'}</span>
            <span className={classes.nextFacts}>
              {placeOf(session)} · {timeUntil(session, now, zone)}
            </span>
            <Suspense fallback={null}>
              <RequestMark sessionIds={(session.membros ?? [session]).map(({ id }) => id)} />
            </Suspense>
          </span>
        </Link>
        {unanswered ? (
          <Suspense fallback={opening}>
            <ConfirmVisit sessionId={session.id} otherwise={opening}>
              Confirmar
            </ConfirmVisit>
          </Suspense>
        ) : session.inicio <= now ? (
          <Complete key={session.id} session={session} />
        ) : (
          opening
        )}
      </Card>
    </Section>
  );
}

function Complete({ session }: { session: ShownSession }) {
  const { complete, busy } = useSessionActions(session);
  return (
    <Button
      loading={busy}
      onClick={complete}
      aria-label={`Marcar como feita: ${session.student_nome ?? 'Aluno apagado'}`}
      leftSection={<Icon name="check" />}
    >
      Feita
    </Button>
  );
}
