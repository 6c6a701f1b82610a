const brl = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * `123456` → `1.234,56`.
 * @param cents integer, may be negative (then with the minus sign U+2212 in front)
 */
export function formatAmount(cents: number): string {
  return `${cents < 0 ? '\u2212' : ''}${brl.format(Math.abs(cents) / 100)}`;
}

/** `123456` → `R$ 1.234,56` (with a no-break space), `-50` → `−R$ 0,50`. */
export function formatMoney(cents: number): string {
  return `${cents < 0 ? '\u2212' : ''}R$\u00a0${formatAmount(Math.abs(cents))}`;
}

const TYPED =
  /^(?:R\$)?\s*([-\u2212]?)\s*(?:R\$)?\s*(\d[\d.,]*|\d{1,3}(?:\s\d{3})+(?:,\d{1,2})?)\s*(mil|k)?\s*(?:reais|real)?$/iu;
const PLAIN = /^\d+$/;
const GROUPED = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/;
const COMMA = /^\d+,\d{1,2}$/;
const DOT = /^\d+\.\d{1,2}$/;

/**
 * Parses a typed amount: `1.234,56`, `1234,56`, `1234.56`, `1.234`, `R$ 80`, `-5`, `80 reais`, `1,5 mil`, `10k`.
 * @returns integer cents, or null for a text that is empty, ambiguous (`1,234`, `1.500 mil`), too long or not an amount
 */
export function parseMoney(text: string): number | null {
  const [, minus, given = '', thousand] = TYPED.exec(text.trim()) ?? [];
  const typed = given.replace(/\s/g, '');
  if (thousand && (GROUPED.test(typed) || /\s/.test(given))) return null;
  const decimal =
    PLAIN.test(typed) || DOT.test(typed)
      ? typed
      : GROUPED.test(typed) || COMMA.test(typed)
        ? typed.replaceAll('.', '').replace(',', '.')
        : null;
  if (decimal === null) return null;
  const [units = '', fraction = ''] = decimal.split('.');
  const cents = (Number(units) * 100 + Number(fraction.padEnd(2, '0'))) * (thousand ? 1000 : 1);
  if (!Number.isSafeInteger(cents)) return null;
  return minus ? -cents : cents;
}

/**
 * The body's value of an amount field: cents, or undefined if it is empty. A text that cannot be parsed stays text,
 * which the schema refuses.
 */
export const amountOf = (text: string): number | string | undefined =>
  text.trim() === '' ? undefined : (parseMoney(text) ?? text);
