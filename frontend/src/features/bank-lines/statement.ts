import { searchable } from '../../../../backend/platform/searchable.api.js';

/** One line of a bank statement. */
export interface StatementLine {
  /** Key by which the line is recognised in later files. */
  chave: string;
  data: string;
  /** Cents; negative for outgoing money. */
  valor: number;
  texto: string;
}

/** The entries of a file, and how many rows of it are none: without a date or an amount, or a balance. */
export interface ReadLines {
  lines: StatementLine[];
  unread: number;
  balances: number;
}

/** The file is not a statement, too large or damaged; the message is shown to the user. */
export class UnreadableStatement extends Error {}

export const MOST_BYTES = 2_000_000;
export const MOST_STATEMENT_LINES = 3000;
const MOST_TEXT = 300;
const MOST_KEY = 480;

/** Decodes UTF-16, UTF-8 if the bytes are valid, else the usual encoding of banks; ignores the file's own declaration. */
export function decode(bytes: Uint8Array): string {
  if (bytes.length > MOST_BYTES) throw new UnreadableStatement('O arquivo é grande demais: use até 2 MB.');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Removes characters that cannot be shown. */
export const clean = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\p{Co}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_TEXT)
    // Remove half of a surrogate pair that was cut.
    .replace(/\p{Cs}$/u, '');

/** A calendar date; null if it does not exist. */
export function dayOfParts(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists && text >= '1900-01-01' && text <= '2100-12-31' ? text : null;
}

/**
 * Parses an amount as banks write it, with a sign before or after it, the letter of its side, or in brackets: `-1234.56`,
 * `1.234,56`, `R$ 50,00-`, `50,00 D`, `(12,90)`, `25,00 (-)`. Returns cents, or null for any other text.
 */
export function centsOf(text: string): number | null {
  const plain = text
    .replace(/R\$|\s/gi, '')
    .slice(0, 30)
    .replace(/^\(([\d.,]+)\)$/, '-$1')
    .replace(/\(([-+])\)$/, '$1');
  const [, before, digits = '', behind] = /^([-+\u2212]?)([\d.,]+)([-+\u2212CD]?)$/i.exec(plain) ?? [];
  const [, units = '', fraction = ''] = /^(\d+|\d{1,3}(?:[.,]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  if (units === '') return null;
  const cents = Number(units.replace(/[.,]/g, '')) * 100 + Number(fraction.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents) || cents > 10_000_000_000) return null;
  return (before && before !== '+') || (behind && !/[c+]/i.test(behind)) ? -cents : cents;
}

/** Words in plain letters, letters that stand apart joined: `S A L D O` is `saldo`. */
const plainWords = (text: string): string =>
  searchable(text)
    .replace(/[^\da-z]+/g, ' ')
    .trim()
    .replace(/\b[a-z](?: [a-z]\b)+/g, (letters) => letters.replaceAll(' ', ''));

/** A text that only names a balance or a sum, which banks write between the entries: "Saldo do dia", "SDO CTA/APL AUTOMATICAS". */
const BALANCE =
  /^(saldo|sdo|(sub)?total)(?: (?:saldo|sdo|anterior|inicial|final|atual|parcial|diario|contabil|bloqueado|bloq|disponivel|disp|total|geral|liquido|provisorio|abertura|fechamento|dia|conta|contas|cta|cc|corrente|periodo|mes|poupanca|limite|movimentacao|aplicacoes|aplicacao|aplic|apl|investimentos?|automaticas?|aut|mais|creditos|debitos|entradas|saidas|saque|ate|do|da|de|em|na|no|com|para|e|\d+))*$/;
export const isBalance = ({ texto }: { texto: string }): boolean => BALANCE.test(plainWords(texto));

/** Money that only changes its place: investments, savings, and transfers between accounts of one owner. */
const OWN =
  /\b(rdb|cdb|lci|lca|rdc|caixinhas?|cofrinhos?|tesouro direto|renda fixa|bb rende facil|mesma titularidade|entre contas|conta investimento|contas? proprias?)\b|^(?!.*\bpix\b).*\b(resgate|resg|aplicacao|aplic|poupanca|poup|fundos?)\b/;
export const isOwnTransfer = ({ texto }: { texto: string }): boolean => OWN.test(plainWords(texto));

/** Numbers equal lines, so that two equal payments of a day have different keys, the same in every file. */
export function withKeys(
  lines: readonly (Omit<StatementLine, 'chave'> & { name: string })[],
): StatementLine[] {
  const seen = new Map<string, number>();
  return lines.map(({ name, ...line }) => {
    const key = `${name}/${line.data}/${line.valor}`.slice(0, MOST_KEY);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return { ...line, chave: count === 1 ? key : `${key}/${count}` };
  });
}
