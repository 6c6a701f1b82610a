const rules = new Intl.PluralRules('pt-BR');

/** "1 aluno", "2 alunos". */
export const plural = (count: number, one: string, other: string): string =>
  `${count} ${wordFor(count, one, other)}`;

/**
 * The form of a word after a count. Zero takes the plural, as people write it, although the rules of Portuguese require
 * the singular.
 */
export function wordFor(count: number, one: string, other: string): string {
  return count !== 0 && rules.select(count) === 'one' ? one : other;
}
