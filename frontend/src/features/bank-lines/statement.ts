/** One line of a bank statement. */
export interface StatementLine {
  /** Key by which the line is recognised in later files. */
  chave: string;
  data: string;
  /** Cents; negative for outgoing money. */
  valor: number;
  texto: string;
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
 * Parses an amount as banks write it, with a sign before or after it, or the letter of its side: `-1234.56`,
 * `1.234,56`, `R$ 50,00-`, `50,00 D`. Returns cents, or null for any other text.
 */
export function centsOf(text: string): number | null {
  const [, before, digits = '', behind] =
    /^([-+\u2212]?)([\d.,]+)([-\u2212CD]?)$/i.exec(text.replace(/R\$|\s/gi, '').slice(0, 30)) ?? [];
  const [, units = '', fraction = ''] = /^(\d+|\d{1,3}(?:[.,]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  if (units === '') return null;
  const cents = Number(units.replace(/[.,]/g, '')) * 100 + Number(fraction.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents) || cents > 10_000_000_000) return null;
  return (before && before !== '+') || (behind && !/c/i.test(behind)) ? -cents : cents;
}

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
