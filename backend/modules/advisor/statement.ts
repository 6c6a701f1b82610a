import { amountsSaid } from './amount.js';
import { dayBefore } from './days.js';
import { EXPENSES, MOODS, PARTS, SILENT_SIGNS, STATEMENTS, vocabulary } from './lexicon.js';
import { monthsAndNames, type Named, partsOf, whoIsMeant } from './names.js';
import { saidDaysIn } from './said-days.js';
import { seen, spelled, WORDS, writtenOut } from './text.js';

/** A payment that was received or an expense that was made, as a whole message says it. */
export interface Statement {
  is: 'receita' | 'despesa';
  valor: number;
  dia: string | null;
  student: Named | undefined;
}

type Part = keyof typeof PARTS;

const wordsOf = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'u');
const [NEGATION, MOOD] = [wordsOf(MOODS.negation), wordsOf(`${MOODS.negation}|${MOODS.other}`)];
const ANY_EXPENSE = `(?:${Object.values(EXPENSES).join('|')})`;
const PART_OF = (Object.entries(PARTS) as [Part, string][]).map(
  ([part, source]) => [part, new RegExp(`^(?:${source.replace('GASTO', ANY_EXPENSE)})(?= |$)`)] as const,
);

/** Days that are meant without doubt: "dia 25", said on the 20th, may be a slip. */
const NEAR_DAYS = 7;

/** Whether a text denies something, or is no plain statement for another reason: it doubts, supposes, foretells, reports or takes back. */
export const moodOf = (joined: string): 'denied' | 'other' | undefined =>
  NEGATION.test(joined) ? 'denied' : MOOD.test(joined) ? 'other' : undefined;

/**
 * What a message states; undefined unless every word and sign of it is part of one affirmative statement. Typing errors are not
 * corrected here. `keep`: the words of all students' names.
 */
export function statementIn(
  message: string,
  { today, students, keep }: { today: string; students: readonly Named[]; keep: ReadonlySet<string> },
): Statement | undefined {
  const text = seen(message);
  // "90²" would be read as 902, "…" leaves something unsaid, and what has strokes through it is taken back.
  if (/\p{No}|\p{Bidi_C}|…/u.test(message) || /\.\.|\p{M}/u.test(text)) return undefined;
  const words = (text.match(WORDS) ?? []).map((typed) => {
    const plain = spelled(typed);
    return { typed, plain, isKnown: vocabulary.has(plain) };
  });
  const written = writtenOut(text, words);
  const [day, ...moreDays] = saidDaysIn(written, { today, ahead: false, isOrder: true });
  if (moreDays.length > 0 || (day && (day.de !== day.ate || !isNear(day.de, today)))) return undefined;
  const dated = day ? `${written.slice(0, day.from)} DIA ${written.slice(day.to)}` : written;
  const {
    amounts: [valor, ...moreAmounts],
    rest,
  } = amountsSaid(dated);
  if (valor === undefined || moreAmounts.length > 0) return undefined;
  const named = monthsAndNames(words, keep);
  const { found } = whoIsMeant(named, students);
  if (found.length > 1 || named.some(({ month }) => month && !month.isSure)) return undefined;
  const [student] = found;
  const parts = partsIn((student ? withoutName(rest, student) : rest).replace(SILENT_SIGNS, ' ').trim());
  const [verb, ...moreVerbs] = [...parts].filter((part) => STATEMENTS[part]);
  const statement = verb && STATEMENTS[verb];
  if (!statement || moreVerbs.length > 0) return undefined;
  const { is, needs, takes } = statement;
  const isWhole =
    needs.every((part) => parts.has(part)) &&
    parts.has('valor') &&
    [...parts].every((part) => [verb, 'valor', 'cortesia', ...needs, ...takes].includes(part));
  return isWhole ? { is, valor, dia: day?.de ?? null, student } : undefined;
}

const isNear = (day: string, today: string): boolean =>
  day <= today && (day >= dayBefore(today, NEAR_DAYS) || day.slice(0, 7) === today.slice(0, 7));

/** A text with `QUEM` for the student's name. A name that is also a word of doubt, such as "Nem", stays. */
function withoutName(text: string, student: Named): string {
  const one = `(?:${partsOf(student).join('|')})`;
  const name = new RegExp(`(?<!\\p{L})${one}(?: (?:d[aeo]s? )?${one})*(?!\\p{L})`, 'gu');
  return text.replace(name, (said) => (MOOD.test(said) ? said : 'QUEM'));
}

/** The parts that a text consists of; none if it has other words, or one part twice. */
function partsIn(text: string): ReadonlySet<Part> {
  const parts = new Set<Part>();
  for (let left = text; left !== '';) {
    const [next] = PART_OF.map(([part, source]) => ({ part, said: source.exec(left)?.[0] ?? '' })).toSorted(
      (a, b) => b.said.length - a.said.length,
    );
    if (!next || next.said === '' || (parts.has(next.part) && next.part !== 'cortesia')) return new Set();
    parts.add(next.part);
    left = left.slice(next.said.length).trimStart();
  }
  return parts;
}
