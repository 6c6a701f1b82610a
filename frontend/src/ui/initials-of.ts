const letters = new Intl.Segmenter('pt-BR');
/** The first visible letter: an emoji or an accent may consist of several characters. */
const firstOf = (word: string): string =>
  letters.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** The initials of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map(firstOf).join('').toUpperCase();
}
