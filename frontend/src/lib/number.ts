/** Parses a typed number, also `2,5`; NaN for any other text (also `1e3`), undefined for an empty one. */
export const numberOf = (text: string): number | undefined =>
  text.trim() === '' ? undefined : /[a-z]/i.test(text) ? NaN : Number(text.replace(',', '.'));
