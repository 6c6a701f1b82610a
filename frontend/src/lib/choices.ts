/** Options of a select for numbers, with the one that is saved, which may be none of them. */
export const choiceOf = (values: readonly number[], saved: number, words: (value: number) => string) =>
  [...new Set([...values, saved])]
    .sort((one, other) => one - other)
    .map((value) => ({ value: String(value), label: words(value) }));
