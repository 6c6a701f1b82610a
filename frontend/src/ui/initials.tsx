import classes from './initials.module.css';

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

interface InitialsProps {
  /** Determines the colour: the same for one person everywhere. */
  id: string;
  name: string;
  /** Pixels; default: 40. */
  size?: number;
}

const hueOf = (id: string) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

export function Initials({ id, name, size = 40 }: InitialsProps) {
  return (
    <span
      aria-hidden
      className={classes.initials}
      style={{ '--hue': hueOf(id), '--size': `${size}px` } as React.CSSProperties}
    >
      {initialsOf(name)}
    </span>
  );
}
