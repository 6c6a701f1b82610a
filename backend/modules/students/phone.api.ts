import { formatPhone } from './phone-format.api.js';

const AREA = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])';
/** What people write before a number: the country's code, and a zero, perhaps with a carrier's two digits, before the area's. */
const BEFORE = '(?:(?:00)?55(?:0(?:\\d\\d)?)?|0(?:\\d\\d)?)?';
const WHOLE = new RegExp(`^${BEFORE}(${AREA}(?:9\\d{8}|[2-5]\\d{7}))$`);
const WITHOUT_NINTH = new RegExp(`^${BEFORE}(${AREA})([6-9]\\d{7})$`);

/** The digits as typed; null where there are other characters, or another country's code after a plus. */
function digitsOf(typed: string): string | null {
  // "0xx11": the x stand for the digits of a carrier, which are left to whoever calls.
  const text = typed.trim().replace(/^(\(?0)\s*xx/i, '$1');
  const digits = text.replace(/\D/g, '');
  return /^\+?[\d\s().-]+$/.test(text) && (!text.startsWith('+') || digits.startsWith('55')) ? digits : null;
}

/**
 * E.164 of a Brazilian number, mobile (DD) 9NNNN-NNNN or landline (DD) NNNN-NNNN, also with the country's code or a zero before
 * it; null when it is none.
 */
export function toE164(typed: string): string | null {
  const [, national] = WHOLE.exec(digitsOf(typed) ?? '') ?? [];
  return national ? `+55${national}` : null;
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
  return toE164(typed) ? null : `${what} inválido`;
}
