import { plural } from '../../../../backend/platform/plural.api.js';
import { LOW_BALANCE } from '../../../../backend/modules/credits/credits.api.js';
import { Tag } from '../../ui/tag.js';

export const creditsInWords = (credits: number): string => plural(credits, 'crédito', 'créditos');

/** A balance: 0 or less red, 1 to 2 yellow, above 2 green. */
export function CreditTag({ credits }: { credits: number }) {
  const tone = credits <= 0 ? 'bad' : credits <= LOW_BALANCE ? 'warn' : 'good';
  return <Tag tone={tone}>{creditsInWords(credits)}</Tag>;
}
