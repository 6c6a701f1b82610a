/** Text in the form that is searched and sorted by: without accents, in lower case. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
