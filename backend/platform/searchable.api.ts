import { plainLetters } from './plain-letters.api.js';

/** Text in the form that is searched, compared and sorted by: in plain lower case letters, without needless blanks. */
export function searchable(text: string): string {
  return plainLetters(text).toLowerCase().replace(/\s+/g, ' ').trim();
}
