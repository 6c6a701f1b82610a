const rules = new Intl.PluralRules('pt-BR');

/** "1 aluno", "2 alunos". */
export const plural = (count: number, one: string, other: string): string =>
  `${count} ${wordFor(count, one, other)}`;

/** The word that follows a count. Zero takes the plural, as people write it, though Portuguese rules say singular. */
export function wordFor(count: number, one: string, other: string): string {
  return count !== 0 && rules.select(count) === 'one' ? one : other;
}
