import { plainLetters } from '../../../backend/platform/plain-letters.api.js';

/** Normalises text for comparison: in plain lower case letters. */
export const plain = (text: string): string => plainLetters(text).toLowerCase();
