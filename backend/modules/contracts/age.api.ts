/** Below this age a guardian signs. */
export const FULL_AGE = 18;
/** Below this age the guardian signs for the student; from it on, beside the student (Código Civil, art. 3 and 4). */
const ASSISTED_AGE = 16;

export type GuardianRole = 'representa' | 'assiste';

/** For who signs. */
export const roleInWords: Readonly<Record<GuardianRole, string>> = {
  representa: 'O aluno tem menos de 16 anos: quem assina é o responsável.',
  assiste: 'O aluno tem menos de 18 anos: aluno e responsável assinam juntos.',
};

/** Compares two calendar dates. A person born on 29 February comes of age on 1 March. */
const isUnder = (age: number, birth: string, today: string): boolean =>
  today < `${Number(birth.slice(0, 4)) + age}${birth.slice(4)}`;

export const isMinor = (birth: string, today: string): boolean => isUnder(FULL_AGE, birth, today);

/** How a guardian signs for the student: in the student's place, or beside. Null for an adult, and where no birth date is known. */
export function guardianRole(birth: string | null, today: string): GuardianRole | null {
  if (birth === null || !isMinor(birth, today)) return null;
  return isUnder(ASSISTED_AGE, birth, today) ? 'representa' : 'assiste';
}

/** Of two birth dates, such as the recorded and the typed one, that of the younger person. */
export const youngest = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null ? (one > other ? one : other) : (one ?? other);
