const rules = new Intl.PluralRules('pt-BR');

const numbers = new Intl.NumberFormat('pt-BR');

/** A count as people write it: "9.304". */
export const counted = (count: number): string => numbers.format(count);

/** "1 aluno", "2 alunos". */
export const plural = (count: number, one: string, other: string): string =>
  `${counted(count)} ${wordFor(count, one, other)}`;

/**
 * The form of a word after a count. Zero takes the plural, as people write it, although the rules of Portuguese require
 * the singular.
 */
export function wordFor(count: number, one: string, other: string): string {
  return count !== 0 && rules.select(count) === 'one' ? one : other;
}
