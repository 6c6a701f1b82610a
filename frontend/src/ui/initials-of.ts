const letters = new Intl.Segmenter('pt-BR');
/** The first letter as it is seen: an emoji or an accent may take several characters. */
const firstOf = (word: string): string =>
  letters.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** The initials of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map(firstOf).join('').toUpperCase();
}
