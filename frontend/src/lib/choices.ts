import { plural } from '../../../backend/platform/plural.api.js';

/** Options of a select for numbers, including the saved one, which may be none of the usual ones. */
export const choiceOf = (values: readonly number[], saved: number, words: (value: number) => string) =>
  [...new Set([...values, saved])]
    .sort((one, other) => one - other)
    .map((value) => ({ value: String(value), label: words(value) }));

export const minutesInWords = (value: number) => {
  if (value === 0) return 'Nenhum';
  if (value < 60 || value % 60 !== 0) return `${value} min`;
  return value < 1440 ? plural(value / 60, 'hora', 'horas') : plural(value / 1440, 'dia', 'dias');
};

/** How long before a time it is still booked. */
export const noticeInWords = (value: number) => (value === 0 ? 'Nenhuma' : minutesInWords(value));
