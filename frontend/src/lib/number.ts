/** Parses a typed number, also `2,5`; NaN for any other text, undefined for an empty one. */
export const numberOf = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text.replace(',', '.'));
