import { VisuallyHidden } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { addMinutes, formatTime, type Day, dayOf, timeOf } from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Notice } from '../../ui/notice.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { DayGrid, type GridActions } from './day-grid.js';
import { dayRows, type DayRow } from './day-rows.js';
import classes from './day-view.module.css';
import { useDayTimes } from './free-times.queries.js';
import { partsByDay, type Stretch } from './grid-layout.js';
import { sessionsOfDay } from './hours.js';
import type { ShownSession } from './pending-session.js';
import { CompleteButton } from './complete-button.js';
import { isMovable } from './move-form.js';
import { isUnanswered } from './next-session.js';
import { statuses, whatAndWhere } from './session-status.js';
import { type Opens, useOpensAt } from './use-opens-at.js';

interface DayViewProps extends GridActions {
  day: Day;
  sessions: readonly ShownSession[];
  wide: boolean;
  /** The page opens at the current time, or at the first session of another day. */
  opens: Opens;
}

/** A day: a grid on wide screens, a list on the phone. */
export function DayView(props: DayViewProps) {
  const { day, sessions, wide, opens, ...actions } = props;
  const zone = useZone();
  const days = useMemo(() => [day], [day]);
  const list = wide ? undefined : <DayList {...props} />;
  return (
    <>
      <DayGrid label="Dia" days={days} sessions={sessions} list={list} opens={wide && opens} {...actions} />
      {wide && sessionsOfDay(sessions, day, zone).length === 0 && NO_SESSION}
    </>
  );
}

/** Without a button: the round one creates, or a gap. */
const NO_SESSION = <Notice icon="calendar" title="Nenhuma sessão agendada" />;

/** The list of a day: sessions, gaps between them, and for today the current time. */
function DayList({ day, sessions, opens, onOpen, onBook }: DayViewProps) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const parts = useMemo(() => partsByDay(sessions, [day], zone).get(day) ?? [], [sessions, day, zone]);
  const times = useDayTimes(day, day);
  // Days without an entry are closed or full.
  const free = times && (times.get(day)?.free ?? NOTHING);
  const blocked = times?.get(day)?.blocked;
  const rows = useMemo(
    () =>
      dayRows(parts, {
        now: day === today ? now : undefined,
        isPast: day < today,
        free,
        // Vacations are named above the day.
        blocked: blocked?.filter(({ tipo }) => tipo !== 'ferias'),
      }),
    [parts, day, today, now, free, blocked],
  );
  const list = useRef<HTMLOListElement>(null);
  const opening = rows.find(({ kind }) => kind === (day === today ? 'now' : 'session'));
  useOpensAt(list, opens, day, rows);

  return (
    <>
      {rows.length > 0 && (
        <ol ref={list} className={classes.rows}>
          {rows.map((row, index) => (
            <li
              key={row.kind === 'session' ? row.session.id : `${row.kind}-${row.at}`}
              className={classes.row}
              data-kind={row.kind}
              data-opens={row === opening || undefined}
            >
              <span className={classes.label} data-now={row.kind === 'now' || undefined}>
                {labelOf(row, rows[index - 1])}
              </span>
              {row.kind === 'session' && (
                <SessionBlock session={row.session} onOpen={() => onOpen(row.session.id)} />
              )}
              {row.kind === 'gap' && (
                <button type="button" className={classes.gap} onClick={() => onBook(day, clock(row.at))}>
                  <span>
                    {formatTime(clock(row.at))}–{formatTime(clock(row.end))} livre
                  </span>
                  <strong data-on-screen>Agendar</strong>
                </button>
              )}
              {row.kind === 'blocked' && (
                <span className={classes.blocked}>
                  {formatTime(clock(row.at))}–{formatTime(clock(row.end))} {row.label}
                </span>
              )}
              {row.kind === 'now' && (
                <span className={classes.now}>
                  <VisuallyHidden component="span">agora</VisuallyHidden>
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {parts.length === 0 && NO_SESSION}
    </>
  );
}

const NOTHING: readonly Stretch[] = [];

const clock = (minute: number) => addMinutes('00:00', minute);

/** The label of a row: the current time, and each hour only once; not the hour that had begun before the line of now. */
function labelOf(row: DayRow<ShownSession>, before: DayRow<ShownSession> | undefined): string {
  if (row.kind === 'now') return clock(row.at);
  const hour = Math.floor(row.at / 60);
  const isSaid = before !== undefined && Math.floor(before.at / 60) === hour;
  return isSaid ? '' : clock(hour * 60);
}

interface SessionBlockProps {
  session: ShownSession;
  onOpen: () => void;
}

/** A session in the calendar. Its state shows by shape, colour and (for screen readers) word. */
function SessionBlock({ session, onOpen }: SessionBlockProps) {
  const zone = useZone();
  const isToCome = dayOf(session.inicio, zone) > useToday();
  const { label, icon } = statuses[session.status];
  const name = session.student_nome ?? 'Aluno apagado';
  const unanswered = isUnanswered(session);
  const where = whatAndWhere(session);

  return (
    <div className={classes.block} data-status={session.status} data-unanswered={unanswered || undefined}>
      <button type="button" className={classes.open} data-session={session.id} onClick={onOpen}>
        <span className={classes.time}>
          <Icon name={icon} size={14} />
          <VisuallyHidden component="span">{label}</VisuallyHidden>
          {session.servico && <ColourDot colour={session.servico.cor} />}
          {formatTime(timeOf(session.inicio, zone))}–{formatTime(timeOf(session.fim, zone))}
          {unanswered && <span className={classes.missing}>a confirmar</span>}
          {session.sem_credito && <span className={classes.missing}>sem crédito</span>}
          {session.pendente && <PendingMark />}
        </span>
        <span className={classes.name}>{name}</span>
        {where && <span className={classes.place}>{where}</span>}
        {isMovable(session) && <span className={classes.edge} data-edge />}
      </button>
      {session.status === 'agendada' && !isToCome && !unanswered && (
        <span className={classes.done}>
          <CompleteButton session={session} />
        </span>
      )}
    </div>
  );
}
