/** Character ranges of each file of the embedded font; the first file that has a letter is used. A test compares them with the files. */
const LETTERS = {
  latin:
    ' -~\u00a0-\u00ac\u00ae-\u00ff\u0102\u0131\u0152\u0153\u02bc\u02c6\u02da\u02dc\u0300\u0301\u0303\u0304\u0308\u0309\u0323\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2032\u2033\u2039\u203a\u2044\u20ac\u2122\u2191\u2193\u2212',
  'latin-ext':
    '\u0100-\u0113\u0116-\u012b\u012e-\u0130\u0132-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150\u0151\u0154-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01cd\u01ce\u01e4-\u01e9\u0218-\u021b\u0237\u0259\u02b9\u02c7\u02c8\u02dd\u1e20\u1e21\u1e80-\u1e85\u1e9e\u1ef2-\u1ef9\u2020\u20aa\u20b1\u20b4\u20b9\u20bd\ua78b\ua78c',
  cyrillic: '\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116',
  'cyrillic-ext':
    '\u0462\u0463\u046a\u046b\u0472-\u0475\u0492\u0493\u0496\u0497\u049a\u049b\u04a2\u04a3\u04ae\u04af\u04b2\u04b3\u04b6\u04b7\u04ba\u04bb\u04c0\u04cf\u04d8\u04d9\u04e2\u04e3\u04e8\u04e9\u04ee\u04ef',
  vietnamese: '\u0128\u0129\u0168\u0169\u1ea0-\u1ef9',
} as const;

export type Script = keyof typeof LETTERS;
export const scripts = Object.keys(LETTERS) as Script[];

const PARTS = new RegExp(scripts.map((script) => `([\\n${LETTERS[script]}]+)`).join('|'), 'gu');
const OUTSIDE = new RegExp(`[^\\n${Object.values(LETTERS).join('')}]`, 'gu');

const LATIN = new RegExp(`^[\\n${LETTERS.latin}]*$`, 'u');

/** Whether the Latin font file, which most texts need, has all characters of the text. */
export const isLatin = (text: string): boolean => LATIN.test(text);

/** Printable text, divided into parts that one font file each can write. */
export function partsOf(text: string): { script: Script; text: string }[] {
  return Array.from(text.matchAll(PARTS), ([part, ...groups]) => ({
    script: scripts[groups.findIndex((group) => group !== undefined)]!,
    text: part,
  }));
}

/** Invisible characters: controls, direction marks, joiners and variation selectors. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

const withoutUnseen = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\t/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (sign) => (sign === '\n' ? sign : ''));

/** Characters that the embedded font does not have, such as emojis. */
export const unprintable = (text: string): string[] => [...new Set(withoutUnseen(text).match(OUTSIDE))];

/** Emojis, with a blank on each side; without the signs that the font has. */
const EMOJIS = / ?(?:(?!\p{ASCII}|[\xa9\xae\u2122])[\p{Extended_Pictographic}\p{Emoji_Component}] ?)+/gu;

/**
 * A name or a short text without its emojis, which are ornaments there. One of nothing else stays as it is, and so do letters that the
 * font does not have, because they say something. Not for what is signed: that is printed as it was seen.
 */
export function withoutEmojis(text: string): string {
  const left = withoutUnseen(text).replace(EMOJIS, (found, at: number, whole: string) => {
    const isEdge = at === 0 || at + found.length === whole.length;
    return !isEdge && /^ | $/.test(found) ? ' ' : '';
  });
  return left === '' ? text : left;
}

/**
 * Text as the embedded font can write it. Nothing is lost: a character that the font does not have is written as its
 * code, such as `[U+1F4AA]`.
 */
export function printable(text: string): string {
  return withoutUnseen(text).replace(OUTSIDE, (sign) => {
    const plain = sign.normalize('NFKC');
    if (unprintable(plain).length === 0) return plain;
    return `[U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
