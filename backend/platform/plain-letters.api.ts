/** Latin letters that Unicode does not decompose into a plain letter and its accents. */
const OTHERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'TH',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ĸ: 'k',
  ə: 'e',
  Ə: 'E',
  ƒ: 'f',
};
const OTHER = new RegExp(`[${Object.keys(OTHERS).join('')}]`, 'g');

/** The text in plain Latin letters, without accents: `Żółć, Straße` becomes `Zolc, Strasse`. Other scripts stay as they are. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(OTHER, (letter) => OTHERS[letter]!);

/** The text in plain letters, on one line, without other characters. */
export const toAscii = (value: string): string =>
  plainLetters(value)
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
