import { PendingMark } from '../../ui/pending-mark.js';
import { usePendingCredits } from './credits.queries.js';

/** What a renewal without a network will add to a balance. */
export function PendingCredits({ studentId }: { studentId: string }) {
  const credits = usePendingCredits(studentId);
  return credits > 0 && <PendingMark>+{credits} a enviar</PendingMark>;
}
