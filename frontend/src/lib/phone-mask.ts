import { callingCodeOf, formatPhone } from '../../../backend/modules/students/phone-format.api.js';
import { abroadIn, toE164, withNinthDigit } from '../../../backend/modules/students/phone.api.js';
import { digitsOf } from './masks.js';

/** Country code, area code, and a mobile's nine or a landline's eight digits. */
const WHOLE = /^55\d\d(9\d{8}|[2-5]\d{7})/;
/** `0055`, or `550` and a carrier's two digits, before the eleven of a number. */
const MOST_DIGITS = 16;

/**
 * A phone: `(11) 99999-9999`, ten digits as `(11) 9999-9999`. Spec 1, section 5. A country code is removed as soon as
 * the number after it is complete; until then it stays as typed, and so does a number that begins with zero: no area code
 * does, but how long what comes before it is shows only when all was typed (`completePhone`). After another country's code, digits
 * are in groups.
 */
export function maskPhone(text: string): string {
  const all = digitsOf(text);
  const isWhole = WHOLE.test(all);
  if (text.trimStart().startsWith('+') && !isWhole) {
    const number = `+${all.slice(0, MOST_DIGITS)}`;
    return all.startsWith('55') ? number : formatPhone(number);
  }
  const isTooLong = all.length > 11 && !isWhole;
  // A digit that is typed into a full field is dropped, none of those that were pasted.
  if (all.startsWith('0') || (isTooLong && (all.startsWith('55') || !text.includes('('))))
    return all.slice(0, MOST_DIGITS);
  const digits = (all.length > 11 ? all.replace(/^55(?=\d{10})/, '') : all).slice(0, 11);
  if (digits.length <= 2) return digits;
  const area = `(${digits.slice(0, 2)}) `;
  if (digits.length <= 6) return area + digits.slice(2);
  const split = digits.length === 11 ? 7 : 6;
  return `${area}${digits.slice(2, split)}-${digits.slice(split)}`;
}

/** A whole phone as the mask shows it, without what was typed before it, such as `0xx`; null while it is none. */
export function completePhone(text: string): string | null {
  const whole = toE164(text);
  return whole && formatPhone(whole);
}

/** A mobile that was typed with eight digits, with the nine before them; null while it is none. */
export function phoneWithNine(text: string): string | null {
  const meant = withNinthDigit(text);
  return meant && formatPhone(meant);
}

/** The calling code of a phone as typed: Brazil's unless another one is typed whole. */
export const phoneCode = (text: string): string => callingCodeOf(abroadIn(text) ?? '') ?? '55';

/** The same digits after another calling code. */
export function withPhoneCode(text: string, code: string): string {
  const digits = digitsOf(abroadIn(text) ?? text);
  const before = abroadIn(text) !== null || /^\s*\+55/.test(text) ? phoneCode(text) : '';
  return maskPhone(`+${code}${digits.slice(before.length)}`);
}
