/** A number as a person types it, `2,5` too; NaN where it is none, undefined where nothing is typed. */
export const numberOf = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text.replace(',', '.'));
