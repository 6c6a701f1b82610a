import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { AdjustSheet } from './adjust-sheet.js';
import { Balance } from './balance.js';
import { ConsumeSheet } from './consume-sheet.js';
import classes from './credits.module.css';
import { useCreditStatement } from './statement.queries.js';
import { PendingCredits } from './pending-credits.js';
import { TransferSheet } from './transfer-sheet.js';
import { WaitingGrants } from './waiting-grants.js';

interface CreditAccountProps {
  studentId: string;
  /** The renew button, if the student's plan grants credits. */
  renew: ReactNode;
  /** Read-only, for a forgotten student. */
  closed: boolean;
}

/** A student's credits: balance, lots in their order of use, and actions. */
export function CreditAccount({ studentId, renew, closed }: CreditAccountProps) {
  const [sheet, setSheet] = useState<'adjust' | 'consume' | 'transfer' | null>(null);
  return (
    <Section title="Créditos">
      <Async of={useCreditStatement(studentId)} skeleton={<Skeletons count={1} height={150} />}>
        {({ pages }) => <Balance account={pages[0]} pending={<PendingCredits studentId={studentId} />} />}
      </Async>
      <WaitingGrants studentId={studentId} closed={closed} />
      {!closed && (
        <div className={classes.actions}>
          {renew}
          <Button size="sm" variant="default" onClick={() => setSheet('consume')}>
            Dar baixa em 1 crédito
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('adjust')}>
            Ajustar
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('transfer')}>
            Transferir
          </Button>
        </div>
      )}
      <AdjustSheet studentId={studentId} opened={sheet === 'adjust'} onClose={() => setSheet(null)} />
      <TransferSheet studentId={studentId} opened={sheet === 'transfer'} onClose={() => setSheet(null)} />
      <ConsumeSheet studentId={studentId} opened={sheet === 'consume'} onClose={() => setSheet(null)} />
    </Section>
  );
}
