/** Options of a select for numbers, including the saved one, which may be none of the usual ones. */
export const choiceOf = (values: readonly number[], saved: number, words: (value: number) => string) =>
  [...new Set([...values, saved])]
    .sort((one, other) => one - other)
    .map((value) => ({ value: String(value), label: words(value) }));
