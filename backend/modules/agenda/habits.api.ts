import type { Session } from './agenda.api.js';

/** Sessions from which a student's habits are read. */
export const LATEST = 10;

/** The most frequent of some values, the latest of equally frequent ones; null without any. */
function mostly<Value>(values: readonly Value[]): Value | null {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}

/** Service, place and length of a student's latest sessions. */
export const habitsOf = (
  sessions: readonly Pick<Session, 'inicio' | 'fim' | 'location_id' | 'servico'>[],
) => ({
  service_id: mostly(sessions.map(({ servico }) => servico?.id ?? null)),
  location_id: mostly(sessions.flatMap(({ location_id }) => location_id ?? [])),
  minutes: mostly(sessions.map(({ inicio, fim }) => (Date.parse(fim) - Date.parse(inicio)) / 60_000)),
});
