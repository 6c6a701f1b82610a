import { memo, useMemo, type CSSProperties } from 'react';
import { VisuallyHidden } from '@mantine/core';
import { addMinutes, formatLongDay, formatTime, timeOf, type Day, type Time } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { CompleteButton } from './complete-button.js';
import classes from './day-grid.module.css';
import {
  DAY_MINUTES,
  heightOf,
  LEAST_SESSION_PX,
  sideBySide,
  topOf,
  type Band,
  type Part,
  type Placed,
  type Stretch,
} from './grid-layout.js';
import { isMovable } from './move-form.js';
import { isUnanswered } from './next-session.js';
import type { ShownSession } from './pending-session.js';
import { statuses, whatAndWhere } from './session-status.js';

type SessionPart = Part<ShownSession>;

/** Maximum of sessions side by side in a week's column. */
const MOST_BESIDE = 3;
const GAP_PX = 2;
/** Height of two lines of text, time and name, and of three, where a long name has two. */
const TWO_LINES_PX = 44;
const THREE_LINES_PX = 58;

export const clock = (minute: number): Time => addMinutes('00:00', minute);

/** Position and height of a session in its column, in pixels. One that is cut by midnight is still high enough to be tapped. */
export function boxOf({ start, end }: Stretch, bands: readonly Band[]): { top: number; height: number } {
  const from = topOf(start, bands);
  const isCut = start === 0 || end === DAY_MINUTES;
  const height = Math.max(topOf(end, bands) - from, isCut ? LEAST_SESSION_PX : 0);
  return { top: Math.min(from, heightOf(bands) - height), height: height - GAP_PX };
}

interface SessionsProps {
  day: Day;
  parts: readonly SessionPart[];
  bands: readonly Band[];
  /** A single day is shown: all sessions fit, with a button each. */
  isOne: boolean;
  /** Id of the dragged session. */
  heldId: string | null;
  onOpen: (sessionId: string) => void;
  onDay: (day: Day) => void;
}

/** The sessions of a day, side by side where they overlap. */
export const Sessions = memo(function Sessions({
  day,
  parts,
  bands,
  isOne,
  heldId,
  onOpen,
  onDay,
}: SessionsProps) {
  // As in the list, sessions of future days can only be completed in their sheet.
  const today = useToday();
  const { placed, crowds } = useMemo(() => sideBySide(parts, isOne ? Infinity : MOST_BESIDE), [parts, isOne]);
  return (
    <ol className={classes.sessions}>
      {placed.map((part) => (
        <li key={part.session.id} style={{ ...boxOf(part, bands), ...widthOf(part) }}>
          <GridSession
            part={part}
            height={boxOf(part, bands).height}
            isOne={isOne}
            isHeld={part.session.id === heldId}
            onOpen={onOpen}
          />
          {isOne &&
            day <= today &&
            part.columns <= MOST_BESIDE &&
            part.session.status === 'agendada' &&
            !isUnanswered(part.session) && (
              <span className={classes.done}>
                <CompleteButton session={part.session} />
              </span>
            )}
        </li>
      ))}
      {crowds.map((crowd) => (
        <li key={`more-${crowd.start}`} style={{ ...boxOf(crowd, bands), ...widthOf(crowd) }}>
          <button
            type="button"
            className={classes.more}
            aria-label={`Mais ${crowd.count} em ${formatLongDay(day)}, das ${formatTime(clock(crowd.start))} às ${formatTime(clock(crowd.end))}`}
            onClick={() => onDay(day)}
          >
            +{crowd.count}
          </button>
        </li>
      ))}
    </ol>
  );
});

const widthOf = ({ column, columns }: { column: number; columns: number }): CSSProperties => ({
  left: `${(column / columns) * 100}%`,
  width: `calc(${100 / columns}% - ${GAP_PX}px)`,
});

interface GridSessionProps {
  part: Placed<SessionPart>;
  height: number;
  /** There is room for the place. */
  isOne: boolean;
  isHeld: boolean;
  onOpen: (sessionId: string) => void;
}

const GridSession = memo(function GridSession({
  part: { session, continues },
  height,
  isOne,
  isHeld,
  onOpen,
}: GridSessionProps) {
  const zone = useZone();
  const { label, icon } = statuses[session.status];
  const name = session.student_nome ?? 'Aluno apagado';
  const [start, end] = [formatTime(timeOf(session.inicio, zone)), formatTime(timeOf(session.fim, zone))];
  const movable = isMovable(session) && !continues;
  const unanswered = isUnanswered(session);
  const where = whatAndWhere(session);
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.session}
      data-session={session.id}
      data-status={session.status}
      data-unanswered={unanswered || undefined}
      data-lines={height < TWO_LINES_PX ? 1 : isOne || height < THREE_LINES_PX ? 2 : 3}
      data-movable={movable || undefined}
      data-left={isHeld || undefined}
      title={[`${start}–${end}`, name, where].filter(Boolean).join(' · ')}
      onClick={() => onOpen(session.id)}
    >
      <span className={classes.time}>
        <Icon name={icon} size={14} />
        <VisuallyHidden component="span">{label}</VisuallyHidden>
        {session.servico && <ColourDot colour={session.servico.cor} />}
        {start}
        <VisuallyHidden component="span">–{end}</VisuallyHidden>
        {unanswered && <span className={classes.missing}>a confirmar</span>}
        {session.sem_credito && <span className={classes.missing}>sem crédito</span>}
        {session.pendente && <PendingMark />}
      </span>{' '}
      <span className={classes.name}>{name}</span>
      {isOne && height >= THREE_LINES_PX && where && <span className={classes.place}> {where}</span>}
      {movable && <span className={classes.edge} data-edge />}
    </button>
  );
});
