import * as z from 'zod/mini';

const areaCodes = new Set(
  (
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
    '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
  ).split(' '),
);

/** E.164 of a Brazilian number, mobile (DD) 9NNNN-NNNN or landline (DD) NNNN-NNNN, with or without +55; null when it is none. */
export function toE164(typed: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(typed)) return null;
  const digits = typed.replace(/\D/g, '');
  const national = typed.startsWith('+') || digits.length > 11 ? /^55(\d{10,11})$/.exec(digits)?.[1] : digits;
  if (!national || !areaCodes.has(national.slice(0, 2))) return null;
  return /^\d\d(9\d{8}|[2-5]\d{7})$/.test(national) ? `+55${national}` : null;
}

interface Wrong {
  error: (issue: { input?: unknown }) => string;
  abort: boolean;
}
const wrongly = (invalid: string, empty: string): Wrong => ({
  error: ({ input }) => (typeof input === 'string' && input.trim() === '' ? empty : invalid),
  abort: true,
});
const invalid = wrongly('WhatsApp inválido', 'Informe o WhatsApp com DDD');

const phoneOr = (wrong: Wrong) =>
  z.string({ error: wrong.error }).check(
    z.trim(),
    z.maxLength(24, wrong),
    z.refine((typed) => toE164(typed) !== null, wrong),
    z.overwrite((typed) => toE164(typed) ?? typed),
  );

/** A phone as typed, whatever its punctuation; E.164 after parsing. */
export const phone = phoneOr(invalid);

/** The same for fields that ask for a telephone, not for a WhatsApp. */
export const calledPhone = phoneOr(wrongly('Telefone inválido', 'Informe o telefone com DDD'));

/** The same as the form's mask types it, 14 to 16 characters (spec 2, section 5), or already E.164. */
export const whatsapp = z.pipe(
  z
    .string({ error: invalid.error })
    .check(
      z.refine(
        (typed) => (typed.length >= 14 && typed.length <= 16) || /^\+55\d{10,11}$/.test(typed),
        invalid,
      ),
    ),
  phone,
);
