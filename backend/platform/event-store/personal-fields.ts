import { derivedId } from '../derived-id.js';
import type { EventDefinition, PersonalFields, Retention } from './aggregate.js';

type Data = Record<string, unknown>;

/** A key that encrypts a person's texts in events: the person's own key, or a retention key. */
export interface KeyReference {
  /** The person's id, or an id derived from the person and the retention. */
  id: string;
  /** Set for a retention key. */
  retained?: { person: string; name: string; until: string };
}

/** One text about a person, and its place in an event's data. */
interface PersonalText {
  /** Path with indexes: `participantes[1].nota`. */
  path: string;
  value: string;
  key: KeyReference;
  /** First version that stores it encrypted. */
  since: number;
  replace: (value: string | null) => void;
}

/** A declaration with its paths split at their dots. */
interface Declared {
  part: PersonalFields<Data>;
  paths: readonly (readonly string[])[];
}

const compiled = new WeakMap<EventDefinition<Data>, readonly Declared[]>();

function declaredIn(definition: EventDefinition<Data>): readonly Declared[] {
  let declared = compiled.get(definition);
  if (!declared) {
    declared = partsOf(definition).map((part) => ({
      part,
      paths: part.fields.map((path) => path.split('.')),
    }));
    compiled.set(definition, declared);
  }
  return declared;
}

/** The personal texts that an event declares, one entry for each person. */
export function partsOf({ personal }: EventDefinition<Data>): readonly PersonalFields<Data>[] {
  if (!personal) return [];
  return Array.isArray(personal)
    ? (personal as readonly PersonalFields<Data>[])
    : [personal as PersonalFields<Data>];
}

/** A copy of the data; a deep one if personal texts are nested. */
export function copyFor(definition: EventDefinition<Data>, data: Data): Data {
  const isNested = declaredIn(definition).some(({ paths }) =>
    paths.some((path) => path.length > 1 || path[0]!.endsWith('[]')),
  );
  return isNested ? (JSON.parse(JSON.stringify(data)) as Data) : { ...data };
}

/** All personal texts of the data that are not null. */
export function personalTexts(
  definition: EventDefinition<Data>,
  data: Data,
  tenantId: string,
): PersonalText[] {
  const texts: PersonalText[] = [];
  for (const { part, paths } of declaredIn(definition)) {
    for (const path of paths) {
      visit(data, path, '', [], (holder, field, at, indexes) => {
        const value = holder[field];
        if (typeof value !== 'string') return;
        const key = keyOf(part, data, tenantId, indexes);
        const replace = (other: string | null) => void (holder[field] = other);
        texts.push({ path: at, value, key, since: part.since ?? 1, replace });
      });
    }
  }
  return texts;
}

function keyOf(
  part: PersonalFields<Data>,
  data: Data,
  tenantId: string,
  indexes: readonly number[],
): KeyReference {
  const id = part.person(data, tenantId, indexes);
  return part.retention ? retainedKey(tenantId, id, part.retention, part.retention.until(data)) : { id };
}

function retainedKey(
  tenantId: string,
  person: string,
  { name }: Retention<Data>,
  until: string,
): KeyReference {
  const id = derivedId(`${tenantId}/${person}/${name}/${until}`);
  return { id, retained: { person, name, until } };
}

/** Calls `found` with the object or list that contains each value of the path, and the value's key there. */
function visit(
  holder: object,
  [first, ...rest]: readonly string[],
  before: string,
  indexes: readonly number[],
  found: (holder: Data, field: string, at: string, indexes: readonly number[]) => void,
): void {
  const isList = first!.endsWith('[]');
  const field = isList ? first!.slice(0, -2) : first!;
  const at = before ? `${before}.${field}` : field;
  const value = (holder as Data)[field];
  if (!isList) {
    if (rest.length === 0) found(holder as Data, field, at, indexes);
    else if (typeof value === 'object' && value !== null) visit(value, rest, at, indexes, found);
    return;
  }
  if (!Array.isArray(value)) return;
  value.forEach((item: unknown, index) => {
    const inside = [...indexes, index];
    if (rest.length === 0) found(value as unknown as Data, String(index), `${at}[${index}]`, inside);
    else if (typeof item === 'object' && item !== null) visit(item, rest, `${at}[${index}]`, inside, found);
  });
}

/** The paths as JSONPath expressions of Postgres that skip nulls. */
export function jsonPathsOf(definition: EventDefinition<Data>): string[] {
  return declaredIn(definition).flatMap(({ paths }) =>
    paths.map((path) => {
      const steps = path.map((step) => (step.endsWith('[]') ? `."${step.slice(0, -2)}"[*]` : `."${step}"`));
      return `$${steps.join('')} ? (@ != null)`;
    }),
  );
}
