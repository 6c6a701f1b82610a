/** A country's calling code: those of one and two digits, all others have three. */
const CODE = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** The calling code of a number that begins with a plus; null while it is not typed whole. */
export const callingCodeOf = (number: string): string | null => CODE.exec(number)?.[1] ?? null;

/** `+5511987654321` → `(11) 98765-4321`; of other countries, also while they are typed, `+351912345678` → `+351 912 345 678` */
export function formatPhone(e164: string): string {
  const code = callingCodeOf(e164);
  if (code === null) return e164;
  if (code === '55') return e164.replace(/^\+55(\d\d)(\d+)(\d{4})$/, '($1) $2-$3');
  const groups = e164.slice(code.length + 1).replace(/\d{3}(?=\d\d)/g, '$& ');
  return `+${code} ${groups}`.trimEnd();
}
