export interface PasswordOwner {
  email: string;
  nome: string;
}

const PRODUCT = 'rende';
const MIN_WORD = 3;

/** A text without case and accents, for comparison with passwords. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const withoutSeparators = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Words about the owner that others know, longest first: e-mail address, its parts, names. */
function wordsOf({ email, nome }: PasswordOwner): string[] {
  const local = email.split('@', 1)[0]!;
  const words = [email, local, ...local.split(/[^\p{L}]+/u), nome.replace(/\s+/g, ''), ...nome.split(/\s+/)];
  return [...words, PRODUCT]
    .map(plain)
    .filter((word) => word.length >= MIN_WORD)
    .sort((one, other) => other.length - one.length);
}

/** A password without the words of its owner, the product's name, and separators. */
export function beyondOwnWords(password: string, owner: PasswordOwner): string {
  let rest = plain(password);
  const before = rest;
  for (const word of wordsOf(owner)) rest = rest.replaceAll(word, '');
  return rest === before ? rest : withoutSeparators(rest);
}

/** Also with one separator between: `1-1-1-1-1-1`. */
function isOneCharacter(password: string): boolean {
  const text = plain(password);
  const { size } = new Set(text);
  return size === 1 || (size === 2 && new Set(withoutSeparators(text)).size === 1);
}

/** Whether it is a word of its owner, spelled with separators, and a few digits: `A.n.a.1990`. */
function isSpelledOwnWord(password: string, owner: PasswordOwner, minLength: number): boolean {
  const spelled = withoutSeparators(plain(password));
  const rest = wordsOf(owner).reduce((text, word) => text.replaceAll(withoutSeparators(word), ''), spelled);
  return rest !== spelled && rest.length < minLength && /^\p{N}*$/u.test(rest);
}

/** Whether it is one character repeated, or little more than the owner's e-mail or name or the product's name. */
export const isGuessable = (password: string, owner: PasswordOwner, minLength: number): boolean =>
  isOneCharacter(password) ||
  isSpelledOwnWord(password, owner, minLength) ||
  [...beyondOwnWords(password, owner)].length < minLength;

export const GUESSABLE =
  'Escolha uma senha que não seja seu nome, seu e-mail, “Rende” nem um caractere repetido.';
