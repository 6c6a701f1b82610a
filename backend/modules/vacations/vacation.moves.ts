import { daysLater, type Span } from '../../platform/local-time.js';
import { closedAt, type OpenRules } from '../availability/free-times.js';

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
