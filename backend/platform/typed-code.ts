/** Letters and digits of the codes that people type from paper: none of 0, O, 1 and I. */
export const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A code as it was printed, whatever its case and separators: a 1 or an I can only be a misread L. */
export const asPrinted = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/[1I]/g, 'L');
