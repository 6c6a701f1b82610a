import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { AdjustSheet } from './adjust-sheet.js';
import { Balance } from './balance.js';
import { ConsumeSheet } from './consume-sheet.js';
import classes from './credits.module.css';
import { useCreditStatement } from './credits.queries.js';
import { PendingCredits } from './pending-credits.js';

interface CreditAccountProps {
  studentId: string;
  /** The renew button, where the student has a plan that grants credits. */
  renew: ReactNode;
  /** Of a forgotten student: only shown. */
  closed: boolean;
}

/** A student's credits: the balance, the lots in the order of their use, and what can be done with them. */
export function CreditAccount({ studentId, renew, closed }: CreditAccountProps) {
  const [sheet, setSheet] = useState<'adjust' | 'consume' | null>(null);
  return (
    <Section title="Créditos">
      <Async of={useCreditStatement(studentId)} skeleton={<Skeletons count={1} height={150} />}>
        {({ pages }) => <Balance account={pages[0]} pending={<PendingCredits studentId={studentId} />} />}
      </Async>
      {!closed && (
        <div className={classes.actions}>
          {renew}
          <Button size="sm" variant="default" onClick={() => setSheet('consume')}>
            Dar baixa em 1 crédito
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('adjust')}>
            Ajustar
          </Button>
        </div>
      )}
      <AdjustSheet studentId={studentId} opened={sheet === 'adjust'} onClose={() => setSheet(null)} />
      <ConsumeSheet studentId={studentId} opened={sheet === 'consume'} onClose={() => setSheet(null)} />
    </Section>
  );
}
