import { Problem } from '../../platform/http/problem.js';
import { daysLater, type Span } from '../../platform/local-time.js';
import { closedAt, type OpenRules } from '../availability/free-times.js';
import { MOST_SESSIONS } from './vacations.api.js';

/** A session's times a number of weeks later, with the same local time and length. */
export function weeksLater(
  { inicio, fim }: { inicio: string; fim: string },
  weeks: number,
  timezone: string,
): Span {
  const from = daysLater(Date.parse(inicio), weeks * 7, timezone);
  return { from, to: from + Date.parse(fim) - Date.parse(inicio) };
}

/** Why a session cannot be moved to a time, apart from other sessions. Times outside of working hours are allowed. */
export function closedForMoves(span: Span, rules: OpenRules): 'vacation' | 'blocked' | undefined {
  const reason = closedAt(span, rules)?.reason;
  return reason === 'outside' ? undefined : reason;
}

/** Checked both in the preview and in the command, which is limited to this number of sessions. */
export function refuseTooMany(sessions: number): void {
  if (sessions <= MOST_SESSIONS) return;
  const most = MOST_SESSIONS.toLocaleString('pt-BR');
  throw new Problem('vacations.too_many_sessions', {
    detail: `São mais de ${most} sessões. Divida as férias em períodos menores.`,
  });
}
