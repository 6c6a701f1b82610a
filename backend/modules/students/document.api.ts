import * as z from 'zod/mini';
import { text } from '../../platform/http/common.api.js';
import { cpf, formatCpf } from './cpf.api.js';

const CNPJ = /^[\dA-Z]{12}\d{2}$/;

/** Check digits of a CNPJ, whose first twelve may be letters: each counts as its ASCII code less 48. */
function isCnpj(cnpj: string): boolean {
  if (!CNPJ.test(cnpj) || /^(.)\1*$/.test(cnpj)) return false;
  const values = [...cnpj].map((character) => character.charCodeAt(0) - 48);
  return [12, 13].every((length) => {
    const sum = values
      .slice(0, length)
      .reduce((total, value, at) => total + value * (((length - 1 - at) % 8) + 2), 0);
    return values[length] === (sum % 11 < 2 ? 0 : 11 - (sum % 11));
  });
}

/** Only digits and letters; null if it is no CPF. */
export const canonicalCpf = (typed: string): string | null => cpf.safeParse(typed).data ?? null;

/** The same for a CNPJ. */
export function canonicalCnpj(typed: string): string | null {
  const plain = typed.replace(/[.\-/\s]/g, '').toUpperCase();
  return isCnpj(plain) ? plain : null;
}

const canonicalDocument = (typed: string): string | null =>
  canonicalCpf(typed.trim()) ?? canonicalCnpj(typed.trim());

/** CPF or CNPJ by its check digits; only digits and letters after parsing. */
export const document = z.pipe(
  text(1, 20, 'Informe o CPF ou CNPJ').check(
    z.refine((typed) => canonicalDocument(typed) !== null, { error: 'CPF ou CNPJ inválido' }),
  ),
  z.transform((typed) => canonicalDocument(typed)!),
);

/** A CPF or CNPJ with punctuation. */
export const formatDocument = (document: string): string =>
  document.length === 14
    ? document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
    : formatCpf(document);
