import { readdirSync, readFileSync } from 'node:fs';

type Versions = Record<number, Record<string, unknown>>;

const folder = new URL('../fixtures/events/', import.meta.url);

/** The data of one event of each type and version that was ever stored, by module. */
export const eventFixtures: Record<string, Record<string, Versions>> = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, Versions>,
  ]),
);

/** A copy of the data of such an event; undefined where there is none. */
export function eventFixture(type: string, version: number): Record<string, unknown> | undefined {
  const module = Object.values(eventFixtures).find((types) => types[type]);
  return structuredClone(module?.[type]![version]);
}
