import * as z from 'zod/mini';
import { toE164, wrongPhone } from './phone.api.js';

const phoneAs = (what: Parameters<typeof wrongPhone>[1]) => {
  const error = ({ input }: { input?: unknown }) =>
    (typeof input === 'string' && wrongPhone(input, what)) || `${what} inválido`;
  const wrong = { error, abort: true };
  return z.string({ error }).check(
    z.trim(),
    z.maxLength(24, wrong),
    z.refine((typed) => toE164(typed) !== null, wrong),
    z.overwrite((typed) => toE164(typed) ?? typed),
  );
};

/** A phone as typed, whatever its punctuation; E.164 after parsing. */
export const phone = phoneAs('WhatsApp');

/** The same for fields that ask for a telephone, not for a WhatsApp. */
export const calledPhone = phoneAs('Telefone');

/** The same for fields that ask for a mobile. */
export const mobilePhone = phoneAs('Celular').check(
  // Of other countries, the digits do not say whether it is one.
  z.refine((e164) => !/^\+55\d\d[^9]/.test(e164), { error: 'Celular inválido', abort: true }),
);
