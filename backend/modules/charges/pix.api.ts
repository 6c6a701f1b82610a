import * as z from 'zod/mini';
import { get, put, post } from '../../platform/http/calls.api.js';
import { created, optionalText, rule, text } from '../../platform/http/common.api.js';
import { plainLetters, toAscii } from '../../platform/plain-letters.api.js';
import { canonicalCnpj, canonicalCpf } from '../students/document.api.js';
import { brazilianE164 } from '../students/phone.api.js';

export const pixKeyKind = z.enum(
  ['cpf', 'cnpj', 'telefone', 'email', 'aleatoria'],
  'Escolha o tipo da chave',
);
export type PixKeyKind = z.infer<typeof pixKeyKind>;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Converts each kind of key to its canonical form; null if it is invalid. */
const canonical: Record<PixKeyKind, (typed: string) => string | null> = {
  cpf: canonicalCpf,
  cnpj: canonicalCnpj,
  telefone: brazilianE164,
  email(typed) {
    const lower = typed.toLowerCase();
    return EMAIL.test(lower) && lower.length <= 77 ? lower : null;
  },
  aleatoria(typed) {
    const lower = typed.toLowerCase();
    return UUID.test(lower) ? lower : null;
  },
};

export function canonicalPixKey(tipo: PixKeyKind, chave: string): string | null {
  return canonical[tipo](chave.trim());
}

/** Name and city as a payer's bank shows them, short enough for the code, which has plain Latin letters only. */
const ascii = (max: number, missing: string) =>
  text(1, max, missing).check(
    z.refine((value) => /[\da-z]/i.test(toAscii(value)), { error: 'Use letras e números', abort: true }),
    z.refine((value) => !/[^\P{L}\p{ASCII}]/u.test(plainLetters(value)), {
      error: 'Use letras do alfabeto latino',
    }),
  );

const account = {
  tipo: pixKeyKind,
  chave: text(1, 80, 'Informe a chave'),
  nome: ascii(25, 'Informe o nome de quem recebe'),
  cidade: ascii(15, 'Informe a cidade'),
  /** Where the key is, for payers who compare it with what their bank says. */
  banco: z._default(optionalText(40), null),
};
const wrongKey: Record<PixKeyKind, string> = {
  cpf: 'CPF inválido',
  cnpj: 'CNPJ inválido',
  telefone: 'Informe o celular com DDD, como (11) 99999-9999',
  email: 'Informe um e-mail válido',
  aleatoria: 'Cole a chave inteira, como aparece no app do banco',
};
const ofKind = rule<{ tipo: PixKeyKind; chave: string }>(
  ({ tipo, chave }) => canonicalPixKey(tipo, chave) !== null,
  ({ tipo }) => wrongKey[tipo],
  ['chave'],
);

/** The kind is required, because a mobile number may also be a valid CPF. Canonical after parsing. */
export const pixAccount = z.pipe(
  z.strictObject(account).check(ofKind),
  z.transform((typed) => ({ ...typed, chave: canonicalPixKey(typed.tipo, typed.chave)! })),
);
export type PixAccount = z.infer<typeof pixAccount>;

/** What an undo takes back; the fields are null where there is no key. */
const seen = z.strictObject({
  tipo: z.nullable(pixKeyKind),
  chave: z.nullable(account.chave),
  nome: z.nullable(account.nome),
  cidade: z.nullable(account.cidade),
  banco: z.optional(optionalText(40)),
});

export const pixAccountChange = z.pipe(
  z.strictObject({ ...account, se_ainda: z.optional(seen) }).check(ofKind),
  z.transform((typed) => ({ ...typed, chave: canonicalPixKey(typed.tipo, typed.chave)! })),
);
export type PixAccountChange = z.infer<typeof pixAccountChange>;

/** Optional body of the removal. */
export const pixAccountRemoval = z._default(z.strictObject({ se_ainda: z.optional(seen) }), {});
export type PixAccountRemoval = z.infer<typeof pixAccountRemoval>;

/** Null before it is set. */
export const shownPixAccount = z.object({
  conta: z.nullable(
    z.object({
      tipo: pixKeyKind,
      chave: z.string(),
      nome: z.string(),
      cidade: z.string(),
      banco: z.nullable(z.string()),
    }),
  ),
});
export type ShownPixAccount = z.infer<typeof shownPixAccount>;

export const pixAccountApi = {
  show: get('/settings/pix', { summary: 'Mostra a chave Pix', answer: shownPixAccount }),
  set: put('/settings/pix', { summary: 'Salva a chave Pix', body: pixAccountChange, answer: created }),
  remove: post('/settings/pix/remove', {
    summary: 'Remove a chave Pix',
    body: pixAccountRemoval,
    answer: created,
  }),
};
