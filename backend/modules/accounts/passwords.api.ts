/** The owner of a password. */
export interface PasswordOwner {
  email: string;
  nome: string;
}

const PRODUCT = 'rende';
const MIN_WORD = 3;

/** A text without case and accents, for comparison with passwords. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

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
  return rest === before ? rest : rest.replace(/[^\p{L}\p{N}]/gu, '');
}

const isOneCharacter = (password: string): boolean => new Set(plain(password)).size === 1;

/** Whether it is one character repeated, or little more than the owner's e-mail or name or the product's name. */
export const isGuessable = (password: string, owner: PasswordOwner, minLength: number): boolean =>
  isOneCharacter(password) || [...beyondOwnWords(password, owner)].length < minLength;

export const GUESSABLE =
  'Escolha uma senha que não seja seu nome, seu e-mail, “Rende” nem um caractere repetido.';
