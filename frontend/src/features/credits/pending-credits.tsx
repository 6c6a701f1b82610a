import { PendingMark } from '../../ui/pending-mark.js';
import { Tag } from '../../ui/tag.js';
import { usePendingCredits } from './credits.queries.js';

/** What a renewal adds to a balance that does not have it yet: at once what is on its way, and marked what waits to be sent. */
export function PendingCredits({ studentId }: { studentId: string }) {
  const { sending, waiting } = usePendingCredits(studentId);
  return (
    <>
      {sending > 0 && <Tag tone="good">+{sending}</Tag>}
      {waiting > 0 && <PendingMark>+{waiting}, ainda não enviado</PendingMark>}
    </>
  );
}
