/** Text as it is searched and sorted: without accents, in lower case. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
