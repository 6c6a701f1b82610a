import { toAscii } from '../../platform/plain-letters.api.js';
import type { OwnCharge } from './charges.api.js';

interface Account {
  tipo: string;
  chave: string | null;
  nome: string | null;
  banco: string | null;
  emitente: string | null;
  documento: string | null;
}

/** Whom the payer's bank will name. */
export const payeeOf = (account: Account): NonNullable<OwnCharge['recebe']> => ({
  nome: account.nome!,
  documento: documentOf(account),
  banco: account.banco,
});

const firstName = (name: string) => toAscii(name).toLowerCase().split(' ')[0];

/**
 * The key, if it is a CPF or CNPJ; otherwise that of the trainer's receipts, unless they name somebody else: the payer would
 * compare it with another person's.
 */
function documentOf({ tipo, chave, nome, emitente, documento }: Account): string | null {
  if (tipo === 'cpf' || tipo === 'cnpj') return masked(chave!);
  return documento !== null && emitente !== null && firstName(emitente) === firstName(nome!)
    ? masked(documento)
    : null;
}

/** Without its first and last digits, as banks show a CPF to payers. */
const masked = (digits: string): string =>
  digits.length === 14
    ? `CNPJ ${digits.replace(/^..(.{3})(.{3})(.{4})..$/, '**.$1.$2/$3-**')}`
    : `CPF ${digits.replace(/^.{3}(.{3})(.{3})..$/, '***.$1.$2-**')}`;
