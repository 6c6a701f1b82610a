/** Formats the text of a field while it is typed. It is idempotent, and drops excess digits at the end. */
export type Mask = (text: string) => string;

export const digitsOf = (text: string, most?: number) => text.replace(/\D/g, '').slice(0, most);

/** A CPF: `000.000.000-00`. */
export function maskCpf(text: string): string {
  const digits = digitsOf(text, 11);
  return (
    [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9)].filter(Boolean).join('.') +
    (digits.length > 9 ? `-${digits.slice(9)}` : '')
  );
}

/** A postal code: `01310-100`. */
export function maskCep(text: string): string {
  const digits = digitsOf(text, 8);
  return digits.length > 5 ? `${digits.slice(0, 5)}-${digits.slice(5)}` : digits;
}

/** Digits in groups: a typed separator keeps its place, and excess digits of a group move into the next. */
function grouped(text: string, sizes: readonly number[], separator: string): string {
  if (!/\d/.test(text)) return '';
  const typed = text.trim().split(/\D+/);
  let carried = '';
  const groups = sizes.map((size, index) => {
    const digits = carried + (typed[index] ?? '');
    carried = digits.slice(size);
    return digits.slice(0, size);
  });
  const last = Math.max(typed.length - 1, groups.map((group) => group !== '').lastIndexOf(true));
  return groups.slice(0, last + 1).join(separator);
}

/** A date: `26/11/2026`; a pasted ISO date is converted. */
export function maskDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  return grouped(iso ? `${iso[3]}${iso[2]}${iso[1]}` : text, [2, 2, 4], '/');
}

/** A time: `07:00`; since no hour of two digits begins with 3 or more, `730` becomes `7:30`. */
export function maskTime(text: string): string {
  const alone = /^\s*([3-9])(\d{1,2})\s*$/.exec(text);
  return grouped(alone ? `${alone[1]}:${alone[2]}` : text, [2, 2], ':');
}

/** An amount as it is typed, without the currency, which the field shows; `parseMoney` parses it, or refuses it. */
export const maskMoney: Mask = (text) => text.replace(/R*\$+\s*/gi, '').trimStart();

/** The new position of the cursor: after as many digits of `masked` as were on its left in the browser's text. */
function cursorIn(masked: string, left: string): number {
  const known = [...left].filter((char) => masked.includes(char)).join('');
  let found = 0;
  let cursor = 0;
  for (let position = 0; position < masked.length && found < known.length; position += 1) {
    const isDigit = /\d/.test(masked.charAt(position));
    if (masked.charAt(position) === known.charAt(found)) {
      found += 1;
      cursor = position + 1;
    } else if (isDigit) {
      // Adding the separator has moved the digits.
      found += 1;
      position -= 1;
    }
  }
  return cursor;
}

export interface Edit {
  text: string;
  cursor: number;
}

/** The position of the cursor after `before` was restored: with as many digits on its right as now. */
export function cursorBefore(before: string, { text, cursor }: Edit): number {
  const right = digitsOf(text.slice(cursor)).length;
  let position = 0;
  while (digitsOf(before.slice(position)).length > right) position += 1;
  return position;
}

const without = (text: string, position: number) => text.slice(0, position) + text.slice(position + 1);

/**
 * The new text of a masked field after an edit. Deleting a separator deletes the adjacent digit; a digit that is typed
 * into a full field changes nothing. Pasting or filling in the same digits is not a deletion.
 * @param before the text before the edit
 * @param after the browser's text after it, with its cursor at `cursor`
 * @param forward whether text to the right of the cursor was deleted (Delete) instead of to the left
 */
export function edited(mask: Mask, before: string, { text, cursor }: Edit, forward = false): Edit {
  const masked = mask(text);
  const isTyped = text.length === before.length + 1 && without(text, cursor - 1) === before;
  const [typed, kept] = [digitsOf(text), digitsOf(masked)];
  // The mask drops the country code of a number that is complete, which is no excess.
  const isExcess = typed.length > kept.length && (masked === before || !typed.endsWith(kept));
  if (isTyped && isExcess) return { text: before, cursor: cursor - 1 };
  const gone = before.length - text.length;
  const isDeleted = gone > 0 && text === before.slice(0, cursor) + before.slice(cursor + gone);
  if (masked === before && isDeleted) {
    const position = forward
      ? text.slice(cursor).search(/\d/) + cursor
      : text.slice(0, cursor).search(/\d\D*$/);
    if (position >= (forward ? cursor : 0)) {
      const next = without(text, position);
      return edited(mask, before, { text: next, cursor: forward ? cursor : position });
    }
  }
  return {
    text: masked,
    cursor: cursor >= text.length ? masked.length : cursorIn(masked, text.slice(0, cursor)),
  };
}
