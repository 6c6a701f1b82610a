import { formatAmount } from './money.js';
import type { Waiting } from './outbox.js';

/** What a field of a form has for a value of the body. */
function typed([name, value]: [string, unknown]): [string, unknown] {
  if (typeof value !== 'number') return [name, name === 'locais' ? value : (value ?? '')];
  return [name, name === 'valor' ? formatAmount(value) : String(value)];
}

/** For the edit of a record that the server refused: its form, with what was typed. `kind`: first word of its drafts. */
export const typedAgain =
  (address: string, kind: string) =>
  ({ subject, body }: Waiting) => ({
    to: `${address}?editar=${subject}`,
    draft: `${kind}.${subject}`,
    values: Object.fromEntries(Object.entries(body as object).map(typed)),
  });
