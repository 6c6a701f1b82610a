import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@mantine/core';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { addDays, dayOf, formatDate, formatDay, instantOf, type Day, type Moment } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { useToday, useZone } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { AsItWas, Beyond, isBeyond } from '../../ui/past.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions, SheetTitle } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import classes from './session-detail.module.css';
import { factsOf, headingOf, hoursOf, TimeAndPlace } from './session-detail.js';
import { placeOf, reasons, sessionAddress, StatusTag } from './session-status.js';

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-sessions', []);

interface PastAgendaProps {
  moment: Moment;
  first: Day;
  last: Day;
  /** The session whose sheet is open. */
  opened: string | null;
  onClose: () => void;
}

/** Vacations, tasks and sessions of a day as they were at a moment, or of several, sessions day by day. */
export default function PastAgenda({ moment, first, last, opened, onClose }: PastAgendaProps) {
  const zone = useZone();
  const today = useToday();
  const { at } = moment;
  const [from, to] = [instantOf(first, '00:00', zone), instantOf(addDays(last, 1), '00:00', zone)];
  const sessions = usePaged([PAST, 'range', from, to, at], (cursor, signal) =>
    read('GET /sessions', { query: { from, to, at, cursor, limit: 100 }, signal }),
  );
  const tasks = usePaged([PAST, 'tasks', first, last, at], (cursor, signal) =>
    read('GET /tasks', { query: { from: first, to: addDays(last, 1), at, cursor, limit: 100 }, signal }),
  );
  const vacations = useAnswer([PAST, 'vacations', at], 'GET /vacations', { query: { at, limit: 100 } });
  if (isBeyond(sessions.error)) return <Beyond error={sessions.error} />;
  const listOf = (listed: readonly Session[]) => (
    <Card flush>
      {listed.map((session) => (
        <Row
          key={session.id}
          to={inPast(sessionAddress(session, zone), moment)}
          title={session.student_nome ?? 'Aluno apagado'}
          facts={[hoursOf(session, zone), placeOf(session), session.motivo && reasons[session.motivo]]
            .filter(Boolean)
            .join(' · ')}
          trail={<StatusTag session={session} />}
        />
      ))}
    </Card>
  );
  return (
    <>
      <Async of={vacations} failure="Erro ao carregar férias" skeleton={null}>
        {({ items }) =>
          items
            .filter(({ start_date, end_date }) => start_date <= last && end_date >= first)
            .map(({ id, start_date, end_date, description }) => (
              <Card key={id} flush>
                <Row
                  title={`Férias: ${formatDate(start_date)} a ${formatDate(end_date)}`}
                  facts={description}
                />
              </Card>
            ))
        }
      </Async>
      <InfiniteList of={tasks} manual failure="Erro ao carregar tarefas" skeleton={null} empty={null}>
        {(items) => (
          <Section title="Tarefas">
            <Card flush>
              {items.map(({ id, titulo, data_vencimento, hora, list_nome, concluida_em }) => (
                <Row
                  key={id}
                  title={titulo}
                  facts={[first < last && formatDay(data_vencimento!, today), hora, list_nome]
                    .filter(Boolean)
                    .join(' · ')}
                  trail={
                    concluida_em && (
                      <Tag tone="good" icon="check">
                        Concluída
                      </Tag>
                    )
                  }
                />
              ))}
            </Card>
          </Section>
        )}
      </InfiniteList>
      <InfiniteList
        of={sessions}
        manual
        failure="Erro ao carregar sessões"
        skeleton={<Skeletons count={5} height={72} />}
        empty={
          <Card>
            <Notice icon="calendar" title="Nenhuma sessão agendada" />
          </Card>
        }
      >
        {(items) =>
          first === last
            ? listOf(items)
            : daysOf(items, zone).map(([day, ofDay]) => (
                <Section key={day} title={headed(formatDay(day, today))}>
                  {listOf(ofDay)}
                </Section>
              ))
        }
      </InfiniteList>
      <p className={classes.when}>
        São mostradas as sessões, as tarefas e as férias. Bloqueios e horários livres só são conhecidos como
        estão hoje.
      </p>
      <Sheet opened={opened !== null} onClose={onClose} title="Sessão">
        {opened !== null && <PastSession id={opened} moment={moment} />}
      </Sheet>
    </>
  );
}

const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Sessions, which are ordered by start, by the day on which they start. */
function daysOf(sessions: readonly Session[], zone: string): [day: Day, sessions: Session[]][] {
  const days = new Map<Day, Session[]>();
  for (const session of sessions) {
    const day = dayOf(session.inicio, zone);
    days.set(day, [...(days.get(day) ?? []), session]);
  }
  return [...days];
}

/** A session with its history, as they were at a moment. */
function PastSession({ id, moment }: { id: string; moment: Moment }): ReactNode {
  const { at } = moment;
  const zone = useZone();
  const session = useAnswer([PAST, 'one', id, at], 'GET /sessions/:id', { of: [id], query: { at } });
  if (isBeyond(session.error)) return <Beyond error={session.error} />;
  return (
    <Async of={session} skeleton={<Skeletons count={3} height={64} />}>
      {(known) => (
        <div className={classes.detail}>
          <SheetTitle of={headingOf(known, zone)} />
          <AsItWas moment={moment} />
          <div>
            <div className={classes.head}>
              <StatusTag session={known} />
            </div>
            <TimeAndPlace session={known} />
          </div>
          <Facts of={factsOf(known)} />
          <Section title="Histórico até então">
            <History kind="session" id={id} at={at} />
          </Section>
          <SheetActions>
            <Button
              component={Link}
              variant="default"
              to={inPast(`/alunos/${known.student_id}`, moment)}
              leftSection={<Icon name="people" size={18} />}
            >
              Ver aluno
            </Button>
          </SheetActions>
        </div>
      )}
    </Async>
  );
}
