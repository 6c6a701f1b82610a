const digitsOf = (text: string, most: number) => text.replace(/\D/g, '').slice(0, most);

/** A phone while it is typed: `(11) 99999-9999`, ten digits as `(11) 9999-9999`; a pasted `+55` goes. Spec 1, section 5. */
export function maskPhone(text: string): string {
  const all = text.replace(/\D/g, '');
  const digits = (all.length > 11 && all.startsWith('55') ? all.slice(2) : all).slice(0, 11);
  if (digits.length <= 2) return digits;
  const area = `(${digits.slice(0, 2)}) `;
  if (digits.length <= 6) return area + digits.slice(2);
  const split = digits.length === 11 ? 7 : 6;
  return `${area}${digits.slice(2, split)}-${digits.slice(split)}`;
}

/** A CPF while it is typed: `000.000.000-00`. */
export function maskCpf(text: string): string {
  const digits = digitsOf(text, 11);
  return (
    [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9)].filter(Boolean).join('.') +
    (digits.length > 9 ? `-${digits.slice(9)}` : '')
  );
}

/** A date while it is typed: `26/11/2026`; a pasted ISO date is turned round. */
export function maskDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  const digits = iso ? `${iso[3]}${iso[2]}${iso[1]}` : digitsOf(text, 8);
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join('/');
}

/** A postal code while it is typed: `01310-100`. */
export function maskCep(text: string): string {
  const digits = digitsOf(text, 8);
  return digits.length > 5 ? `${digits.slice(0, 5)}-${digits.slice(5)}` : digits;
}

/** A time while it is typed: `07:00`; `9` becomes `09:`'s beginning only when no hour starts with it. */
export function maskTime(text: string): string {
  const raw = digitsOf(text, 4);
  const digits = /^[3-9]/.test(raw) ? `0${raw}`.slice(0, 4) : raw;
  return digits.length > 2 ? `${digits.slice(0, 2)}:${digits.slice(2)}` : digits;
}

/**
 * Where the cursor belongs after masking: behind as many digits as it had to its left before.
 * @param typed the field's text as the browser left it, with the cursor at `cursor`
 */
export function cursorAfterMask(typed: string, cursor: number, masked: string): number {
  if (cursor >= typed.length) return masked.length;
  let digits = typed.slice(0, cursor).replace(/\D/g, '').length;
  let position = 0;
  while (position < masked.length && digits > 0) {
    if (/\d/.test(masked.charAt(position))) digits -= 1;
    position += 1;
  }
  return position;
}
