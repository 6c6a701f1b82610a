import { MONTHS, NICKNAMES } from './lexicon.js';
import { isOneSlip, plain, type Word } from './text.js';

export interface Named {
  id: string;
  nome: string;
}

const LINKS = new Set(['de', 'da', 'do', 'dos', 'das', 'e']);

/** Each name is taken apart once, because a message is read several times. */
const taken = new WeakMap<Named, string[]>();

export function partsOf(student: Named): string[] {
  let parts = taken.get(student);
  if (!parts) {
    parts = plain(student.nome)
      .split(/[^\p{L}\d]+/u)
      .filter((part) => part.length > 1 && !LINKS.has(part));
    const nickname = NICKNAMES.get(parts[0] ?? '');
    if (nickname !== undefined) parts.push(nickname);
    taken.set(student, parts);
  }
  return parts;
}

/** Every word of the students' names, and their short forms. */
export const namesOf = (students: readonly Named[]): ReadonlySet<string> =>
  new Set(students.flatMap((student) => partsOf(student)));

/** Words before nouns, which may be followed by a name. */
const BEFORE_A_NAME = new Set('o a do da de ao para com pelo pela aluno aluna e'.split(' '));

/** Maximum of words in a message that are compared with all names of all students. */
const MOST_SAID = 30;

/**
 * The students that a message may mean: those with the best match of the words that have no other meaning; archived ones
 * (`former`) only if no active one matches as well.
 */
export function whoIsMeant(
  words: readonly Word[],
  students: readonly Named[],
  former: readonly Named[] = [],
): { found: Named[]; unknown: string | null } {
  const named = [...students, ...former].map((student) => ({ student, parts: partsOf(student) }));
  const names = new Set(named.flatMap(({ parts }) => parts));
  const said = words
    .filter((each) => !/\d/.test(each.plain) && (!each.isKnown || isNameLike(each, names)))
    // "dias" after a number or "os" is not a student called Dias.
    .filter(
      (each) => each.plain !== 'dias' || !/^(\d+|[dn]?os)$/.test(words[words.indexOf(each) - 1]?.plain ?? ''),
    )
    .slice(0, MOST_SAID);
  if (said.length === 0) return { found: [], unknown: null };
  const scored = named.map(({ student, parts }) => ({ student, parts, score: scoreOf(parts, said) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best > 0) {
    const alike = scored.filter(({ score }) => score === best);
    const firsts = new Set(named.map(({ parts: [first] }) => first));
    const strangers = alike.map(({ parts }) => surnameOfAnother(words, parts, { names, firsts }));
    const found = alike.filter((_, n) => strangers[n] === undefined).map(({ student }) => student);
    if (found.length === 0) return { found, unknown: strangers[0]! };
    const gone = new Set(former);
    const active = found.filter((student) => !gone.has(student));
    return { found: active.length > 0 ? active : found, unknown: null };
  }
  const stranger = said.find(({ typed, isKnown }, n) => {
    if (isKnown) return false;
    const at = words.indexOf(said[n]!);
    const isCapital = at > 0 && /^\p{Lu}\p{Ll}/u.test(typed);
    return isCapital || (typed.length > 2 && BEFORE_A_NAME.has(words[at - 1]?.plain ?? ''));
  });
  return { found: [], unknown: stranger?.typed ?? null };
}

/**
 * The name of somebody else that begins like a student's: "João Silva" where the student is João Pereira; undefined if the words
 * after the student's name are no other surname.
 */
function surnameOfAnother(
  words: readonly Word[],
  parts: readonly string[],
  { names, firsts }: { names: ReadonlySet<string>; firsts: ReadonlySet<string | undefined> },
): string | undefined {
  for (const [at, word] of words.entries()) {
    if (word.isKnown || matchOf(parts, word) === 0) continue;
    let next = at + 1;
    while (LINKS.has(words[next]?.plain ?? '') && words[next]?.plain !== 'e') next += 1;
    const after = words[next];
    if (!after || after.isKnown || matchOf(parts, after) > 0 || firsts.has(after.plain)) continue;
    if (names.has(after.plain) || (next === at + 1 && /^\p{Lu}\p{Ll}/u.test(after.typed)))
      return words
        .slice(at, next + 1)
        .map(({ typed }) => typed)
        .join(' ');
  }
  return undefined;
}

/** Whether a known word, such as "rosa", is also a student's name, and so is treated as a name. */
const isNameLike = (word: Word, names: ReadonlySet<string>): boolean =>
  word.plain.length > 3 && isSaidAsName(word, names);

/** Whether a word is one of the names. A known word with an accent is not: "março" is a month, also if a student is called Marco. */
export const isSaidAsName = (
  { typed, plain: word, isKnown, month }: Word,
  names: ReadonlySet<string>,
): boolean => names.has(word) && (month?.isStudent ?? (!isKnown || typed.toLowerCase() === word));

/** Words before a month. */
const BEFORE_A_MONTH = /^(em|mes|desde|entre|este|esse|todo|fim|final|comeco|inicio)$/;
/** Articles, and the verb of an order, before a name. */
const BEFORE_SOMEBODY =
  /^(o|a|do|da|ao|no|na|pelo|pela|pro|pra|com|alun[oa]|marc(a|ar)|agendar|cobr(a|e|ar))$/;
/** Words after the name of somebody who does it. */
const AFTER_A_NAME =
  /^(e|ja|nao|ainda|me|pag\w+|quit\w+|dev\w+|esta|tem|trein\w+|sumi\w*|falt\w+|vem|veio|mandou|fez|acert\w+)$/;

/** Says of each word that is both a month and a student's name, such as "Marco", which of the two it is. */
export function monthsAndNames(words: readonly Word[], names: ReadonlySet<string>): Word[] {
  const isMonth = (at: number) => MONTHS.includes(words[at]?.plain ?? '');
  return words.map((word, at) => {
    if (!isMonth(at) || !names.has(word.plain) || plain(word.typed) !== word.typed.toLowerCase()) return word;
    const [before = '', next = ''] = [at - 1, at + 1].map((n) => words[n]?.typed.toLowerCase());
    const isCapital = /^\p{Lu}\p{Ll}/u.test(word.typed);
    const isDated = before === 'de' && /^(\d+|mes|fim|final|comeco|inicio)$/.test(words[at - 2]?.plain ?? '');
    const isYear =
      /^20\d\d$/.test(next) ||
      /^(20\d\d|este|esse|ano)$/.test(/^d[eo]$/.test(next) ? (words[at + 2]?.plain ?? '') : '');
    const isSpan =
      (/^(a|ao|ate|até|e)$/.test(before) && isMonth(at - 2)) ||
      (/^(a|ao|ate|até)$/.test(next) && isMonth(at + 2));
    if (BEFORE_A_MONTH.test(plain(before)) || isDated || isYear || isSpan)
      return { ...word, month: { isStudent: false, isSure: true } };
    if (before === 'de') return { ...word, month: { isStudent: isCapital, isSure: !isCapital } };
    const isNamed = BEFORE_SOMEBODY.test(plain(before)) || (names.has(plain(before)) && !isMonth(at - 1));
    const isStudent = isNamed || isCapital || AFTER_A_NAME.test(plain(next));
    return { ...word, month: { isStudent, isSure: isNamed } };
  });
}

const scoreOf = (parts: readonly string[], said: readonly Word[]): number =>
  said.reduce((sum, word) => sum + matchOf(parts, word), 0);

/** How well a word matches a name. A first name most, so that "Ana" means Ana Souza and not Mariana or Carla Ana. */
function matchOf(parts: readonly string[], { plain: word }: Word): number {
  if (parts[0] === word) return 10;
  if (parts.includes(word)) return 6;
  const isSlip =
    word.length >= 4 &&
    parts.some((part, n) => part[0] === word[0] && (n === 0 || part.length > 4) && isOneSlip(part, word));
  return isSlip ? 4 : 0;
}
