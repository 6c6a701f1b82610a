/** What stands in place of an address in a mail. */
const REMOVED = '[link removido]';

/**
 * Before a dot that ends an abbreviation, as in "Dra.Paula" and "Av.Brasil": elsewhere two letters or more on both sides of a dot
 * without a blank after it are an address, whatever the ending. There are more than a thousand, and new ones each year.
 */
const ABBREVIATED =
  'dr[as]?|sr(?:as?|s|ta)?|prof(?:as?|e)?|st[ao]|enga?|arq|adv|cel|cap|ten|sgt|pe|ir|fisio|nutri|av|al|ed|jd|vl|pq|cia';
/** Endings that also follow a single letter or a dot with blanks on both sides: other such words are names, as in "Studio B.Fit". */
const SHORT = 'com|net|org|br|io|me|co|ly|gg|tv|cc|ws|to|ai|sh|gl|gd|pw|tk|ru|cn|xn--[a-z\\d-]+';
const IN_BRACKETS = String.raw`\s{0,3}[[({<]\s{0,3}(?:\.|dot|ponto)\s{0,3}[\])}>]\s{0,3}`;
const DOT = String.raw`(?:[.\u00b7]|\s{1,3}[.\u00b7]\s{0,3}|${IN_BRACKETS})`;
const TIGHT_DOT = String.raw`(?:\s{0,3}\.|${IN_BRACKETS})`;
const HOST = String.raw`[\p{L}\p{N}_-]`;
const END = String.raw`(?![\p{L}\p{N}])`;
/** Every repetition has a bound, so that the time of a search grows only with the length of the text. */
const ADDRESS = new RegExp(
  [
    // A scheme, and whatever looks like one.
    String.raw`[a-z][a-z\d+.-]{0,30}:\s{0,3}/\s{0,3}/`,
    String.raw`/\s?/`,
    String.raw`\b(?:mailto|javascript|data|tel|sms|whatsapp):\S`,
    String.raw`\bwww\d?${DOT}`,
    // An e-mail address.
    String.raw`[\p{L}\p{N}]\s?@\s?[\p{L}\p{N}_-]{1,63}${DOT}[\p{L}\p{N}]`,
    String.raw`[\p{L}\p{N}]@[\p{L}\p{N}]`,
    // A host's name, of which single letters may be parts.
    `(?<=${HOST}{2})(?<!(?<!${HOST})(?:${ABBREVIATED}))${TIGHT_DOT}(?:${HOST}\\.){0,9}(?!(?:jr|da)${END})\\p{L}{2}`,
    `${HOST}${DOT}(?:${SHORT})${END}`,
    String.raw`${HOST}\.\s{1,3}com(?:\s{0,3}\.\s{0,3}br)?\s{0,3}(?:/|$)`,
    // Any host with a path, a query or a port.
    String.raw`${HOST}\.\p{L}[\p{L}\p{N}-]{1,62}\.?(?:/|\?[\p{L}\p{N}]|:\d)`,
    // Numbers of a host.
    String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`,
  ].join('|'),
  'iu',
);

const ADDRESSES = new RegExp(ADDRESS, 'giu');

/** Signs that are read as others: dots and slashes of other scripts, and letters of other alphabets that look Latin. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('。․', (sign) => [sign, '.'])),
  // These separate words as well, as in "Pilates·Yoga".
  ...Object.fromEntries(Array.from('‧・•∙⋅ꞏ', (sign) => [sign, '·'])),
  ...Object.fromEntries(Array.from('⁄∕╱⧸', (sign) => [sign, '/'])),
  ...pairs('аәсԁеһіјӏкмոорԛѕтухѵԝгв', 'aacdehijlkmnopqstuxvwrb'),
  ...pairs('αβεηικνορτυχω', 'abenikvoptuxw'),
};
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cc}/u;

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from, (sign, at) => [sign, Array.from(to)[at]!]));
}

/** The text as it is read, in small letters, and for each of its characters the place in the original. */
function asRead(original: string): { read: string; places: number[] } {
  let read = '';
  const places: number[] = [];
  let place = 0;
  for (const sign of original) {
    if (!UNSEEN.test(sign) || /\s/.test(sign)) {
      const plain = LOOK_ALIKE[sign.toLowerCase()] ?? sign.normalize('NFKC').toLowerCase();
      for (const each of plain) {
        const shown = LOOK_ALIKE[each] ?? each;
        read += shown;
        for (let unit = 0; unit < shown.length; unit += 1) places.push(place);
      }
    }
    place += sign.length;
  }
  places.push(original.length);
  return { read, places };
}

/**
 * Whether a text contains an address of the web or of mail, however it is disguised. Names, titles and subjects have none:
 * they reach people in mails and messages, where an address would become a link with the sender's words.
 */
export function hasAddress(text: string): boolean {
  return ADDRESS.test(asRead(text).read);
}

/** The text without addresses, for texts that may have been stored with some. */
export function withoutAddresses(text: string): string {
  const { read, places } = asRead(text);
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: found } of read.matchAll(ADDRESSES)) {
    if (index < done) continue;
    // With everything up to the next blanks.
    let [begin, end] = [index, index + found.length];
    while (begin > done && isInk(read[begin - 1])) begin -= 1;
    if (isInk(read[end - 1])) while (isInk(read[end])) end += 1;
    parts.push(text.slice(places[done], places[begin]), REMOVED, isInk(read[end - 1]) ? '' : ' ');
    done = end;
  }
  return done === 0 ? text : [...parts, text.slice(places[done])].join('');
}

const isInk = (sign: string | undefined): boolean => sign !== undefined && !/\s/.test(sign);
