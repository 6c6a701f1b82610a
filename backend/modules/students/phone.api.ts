import { callingCodeOf, formatPhone } from './phone-format.api.js';

const AREA = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])';
/** What people write before a number: the country's code, and a zero, perhaps with a carrier's two digits, before the area's. */
const BEFORE = '(?:(?:00)?55(?:0(?:[1-9]\\d)?)?|0(?:[1-9]\\d)?)?';
const WHOLE = new RegExp(`^${BEFORE}(${AREA}(?:9\\d{8}|[2-5]\\d{7}))$`);
const WITHOUT_NINTH = new RegExp(`^${BEFORE}(${AREA})([6-9]\\d{7})$`);

/** A number of another country: E.164, and whether its digits are in use there; or why it is none. */
export type ReadAbroad = { e164: string; isKnown: boolean } | { wrong: string };

/**
 * What a plus with a country's code and digits is. Until `phone-abroad.api.ts` is loaded, which the server always has and a browser
 * fetches once somebody types such a number, every number of a possible length is taken, and the server decides.
 */
let readAbroad = (number: string): ReadAbroad =>
  /^\+[1-9]\d{6,14}$/.test(number) ? { e164: number, isKnown: true } : { wrong: 'Confira o número' };

export function readAbroadBy(reader: typeof readAbroad): void {
  readAbroad = reader;
}

/** The digits as typed, of another country with a plus before its code; null where there are other characters. */
function digitsOf(typed: string): string | null {
  // "0xx11": the x stand for the digits of a carrier, which are left to whoever calls.
  const text = typed.trim().replace(/^(\(?0)\s*xx/i, '$1');
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  const [, international] = /^(?:\+|00)(?!55)(.*)$/.exec(text.startsWith('+') ? `+${digits}` : digits) ?? [];
  return international === undefined ? digits : `+${international}`;
}

/** A plus and the digits of a number that begins with the code of another country, also while it is typed; null for all others. */
export function abroadIn(typed: string): string | null {
  const digits = digitsOf(typed) ?? '';
  return callingCodeOf(digits) === null ? null : digits;
}

/** E.164 of a Brazilian number, mobile (DD) 9NNNN-NNNN or landline (DD) NNNN-NNNN, also with what people write before it. */
export function brazilianE164(typed: string): string | null {
  const [, national] = WHOLE.exec(digitsOf(typed) ?? '') ?? [];
  return national ? `+55${national}` : null;
}

/** E.164 of a number as typed, or what is wrong with it, where more than "inválido" can be said. */
function readPhone(typed: string): { e164: string } | { wrong: string | null } {
  const digits = digitsOf(typed);
  if (!digits?.startsWith('+')) {
    const e164 = brazilianE164(typed);
    return e164 ? { e164 } : { wrong: null };
  }
  const read = readAbroad(digits);
  // "+11 94321-4321" is of somebody who left out the 55, not of the United States.
  const brazilian = 'wrong' in read || !read.isKnown ? brazilianE164(digits.slice(1)) : null;
  return brazilian ? { wrong: `Faltou o 55? ${formatPhone(brazilian)}` } : read;
}

/** E.164 of a number: Brazilian, or with the code of another country after a plus; null when it is none. */
export function toE164(typed: string): string | null {
  const read = readPhone(typed);
  return 'e164' in read ? read.e164 : null;
}

/** E.164 of a mobile that was typed with eight digits, which all have had a nine before since 2016; null when it is none. */
export function withNinthDigit(typed: string): string | null {
  const [, area, number] = WITHOUT_NINTH.exec(digitsOf(typed) ?? '') ?? [];
  return area ? `+55${area}9${number}` : null;
}

/** What is wrong with a phone as typed; null where nothing is. */
export function wrongPhone(typed: string, what: 'WhatsApp' | 'Telefone' | 'Celular'): string | null {
  if (typed.trim() === '') return `Informe o ${what === 'WhatsApp' ? what : what.toLowerCase()} com DDD`;
  const meant = withNinthDigit(typed);
  if (meant) return `Faltou o 9? ${formatPhone(meant)}`;
  const read = readPhone(typed);
  return 'e164' in read ? null : (read.wrong ?? `${what} inválido`);
}
