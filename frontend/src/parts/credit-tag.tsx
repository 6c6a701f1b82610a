import { plural } from '../../../backend/platform/plural.api.js';
import { LOW_BALANCE } from '../../../backend/modules/students/students.api.js';
import { Tag, type Tone } from '../ui/tag.js';

export const creditsInWords = (credits: number): string => plural(credits, 'crédito', 'créditos');

/** 0 or less red, 1 to 2 yellow, above 2 green. */
export const toneOfCredits = (credits: number): Tone =>
  credits <= 0 ? 'bad' : credits <= LOW_BALANCE ? 'warn' : 'good';

export function CreditTag({ credits }: { credits: number }) {
  return <Tag tone={toneOfCredits(credits)}>{creditsInWords(credits)}</Tag>;
}
