import { searchable } from '../../platform/searchable.api.js';
import type { ExistingStudent } from '../students/student.js';

/**
 * Whose booking it is among the students who have the phone: twins and their mother share one. Undefined where the typed name
 * is nobody's, or might be several people's: a booking must not be taken for another person's, whose credit it would use.
 * @param student_ids ids of those whom earlier bookings with this phone and name registered
 */
export function namedBy(
  students: readonly ExistingStudent[],
  typed: string,
  student_ids: readonly string[] = [],
): ExistingStudent | undefined {
  const same = students.filter(({ nome }) => nome !== null && searchable(nome) === searchable(typed));
  const active = same.filter(({ status }) => status === 'active');
  const agreeing = students.filter(({ nome }) => nome !== null && agree(nome, typed));
  const found = [active, same, agreeing].find(({ length }) => length > 0) ?? [];
  return found.length === 1 ? found[0] : found.find(({ student_id }) => student_ids.includes(student_id));
}

/**
 * One name is the other with words between its first and its last left out, such as "Ana Souza" and "Ana Clara de Souza", or is
 * its first alone. "Ana Souza" and "Ana Souza Lima" may be mother and daughter.
 */
function agree(one: string, other: string): boolean {
  const [short, long] = [one, other]
    .map((name) => searchable(name).split(' '))
    .toSorted((a, b) => a.length - b.length) as [string[], string[]];
  if (short[0] !== long[0]) return false;
  if (short.length > 1 && short.at(-1) !== long.at(-1)) return false;
  let at = 0;
  return short.every((word) => {
    at = long.indexOf(word, at) + 1;
    return at > 0;
  });
}
