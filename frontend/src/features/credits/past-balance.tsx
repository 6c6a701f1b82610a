import type { Day } from '../../lib/dates.js';
import { Beyond, isBeyond } from '../../ui/past.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Balance } from './balance.js';
import { useCreditStatement } from './statement.queries.js';

interface PastBalanceProps {
  studentId: string;
  moment: { at: string; day: Day };
}

/** Balance and lots as they were at a moment. */
export function PastBalance({ studentId, moment: { at, day } }: PastBalanceProps) {
  const account = useCreditStatement(studentId, at);
  if (isBeyond(account.error)) return <Beyond error={account.error} />;
  return (
    <Async of={account} skeleton={<Skeletons count={1} height={110} />}>
      {({ pages }) => <Balance account={pages[0]} day={day} />}
    </Async>
  );
}
