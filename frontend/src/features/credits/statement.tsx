import { type ReactNode, useState } from 'react';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Section } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { OWN, useCreditStatement } from './credits.queries.js';
import { LotSheet } from './lot-sheet.js';
import { Line } from './statement-line.js';

interface StatementProps {
  /** `OWN`: of the student who is signed in. */
  studentId: string;
  /** At the right of the heading. */
  action?: ReactNode;
  /** As it was at that instant; now where it is missing. */
  at?: string | undefined;
}

/** Why the balance is what it is: every line of the account, newest first. */
export function Statement({ studentId, action, at }: StatementProps) {
  const statement = useCreditStatement(studentId, at);
  const [lots, setLots] = useState<string[]>();
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };
  return (
    <Section title="Extrato" action={action}>
      <Card flush>
        <InfiniteList
          of={lines}
          manual
          empty={
            <Notice icon="coins" title="Nenhum crédito ainda">
              {studentId === OWN
                ? 'Cada crédito recebido ou usado fica registrado aqui.'
                : 'Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.'}
            </Notice>
          }
        >
          {(items) =>
            items.map((line) => <Line key={line.id} line={line} isOwn={studentId === OWN} onLots={setLots} />)
          }
        </InfiniteList>
      </Card>
      {lots && (
        <LotSheet studentId={studentId} lots={lots} onLots={setLots} onClose={() => setLots(undefined)} />
      )}
    </Section>
  );
}
