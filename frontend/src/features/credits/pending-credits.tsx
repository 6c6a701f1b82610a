import { PendingMark } from '../../ui/pending-mark.js';
import { Tag } from '../../ui/tag.js';
import { usePendingCredits } from './credits.queries.js';

/** The credits of renewals that the balance does not include yet; those in the outbox have a mark. */
export function PendingCredits({ studentId }: { studentId: string }) {
  const { sending, waiting } = usePendingCredits(studentId);
  return (
    <>
      {sending > 0 && <Tag tone="good">+{sending}</Tag>}
      {waiting > 0 && <PendingMark>+{waiting}, ainda não enviado</PendingMark>}
    </>
  );
}
