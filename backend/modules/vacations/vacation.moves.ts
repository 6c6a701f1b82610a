import { closedAt, daysLater, type OpenRules, type Span } from '../availability/free-times.js';

/** Where a session is moved to: so many weeks later by the clocks of the zone, as long as it is. */
export function weeksLater(
  { inicio, fim }: { inicio: string; fim: string },
  weeks: number,
  timezone: string,
): Span {
  const from = daysLater(Date.parse(inicio), weeks * 7, timezone);
  return { from, to: from + Date.parse(fim) - Date.parse(inicio) };
}

/** What keeps a session from being moved there, other sessions aside. It may be moved outside of the trainer's hours. */
export function closedForMoves(span: Span, rules: OpenRules): 'vacation' | 'blocked' | undefined {
  const reason = closedAt(span, rules)?.reason;
  return reason === 'outside' ? undefined : reason;
}
