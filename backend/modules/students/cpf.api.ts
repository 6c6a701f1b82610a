import * as z from 'zod/mini';

/** The check digit that follows these digits: their sum weighted 2, 3, 4, … from the right, modulo 11. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  return ((sum * 10) % 11) % 10;
}

/** Eleven digits that are not all the same, of which the last two follow from the others. */
function hasCheckDigits(digits: string): boolean {
  const first = checkDigit(digits.slice(0, 9));
  const second = checkDigit(`${digits.slice(0, 9)}${first}`);
  return digits.endsWith(`${first}${second}`) && !/^(\d)\1*$/.test(digits);
}

/** Eleven digits with valid check digits, with or without punctuation; digits only after parsing. */
export const cpf = z.string('CPF inválido').check(
  z.regex(/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/, { error: 'CPF inválido', abort: true }),
  z.overwrite((typed) => typed.replace(/\D/g, '')),
  z.refine(hasCheckDigits, 'CPF inválido'),
);

/** Formats a CPF for texts. */
export const formatCpf = (digits: string) => digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');
