import { useState } from 'react';
import type { Moment } from '../../lib/dates.js';
import type { WhyOf } from '../../parts/why.js';
import { WhySheet } from '../../parts/why-sheet.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { isBeyond } from '../../ui/past.js';
import { Row } from '../../ui/row.js';
import classes from './credits.module.css';
import { useCreditStatement } from './statement.queries.js';
import { OWN } from './own-balance.queries.js';
import { Line } from './statement-line.js';

interface StatementProps {
  /** `OWN`: the signed-in student. */
  studentId: string;
  /** Shows it as it was at this moment; default: now. */
  moment?: Moment | undefined;
}

/** The statement: all lines of the account, newest first. */
export function Statement({ studentId, moment }: StatementProps) {
  const statement = useCreditStatement(studentId, moment?.at);
  const [asked, ask] = useState<WhyOf>();
  const isOwn = studentId === OWN;
  const account = statement.data?.pages[0];
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };
  if (isBeyond(statement.error)) return null;
  return (
    <Section title="Extrato">
      <Card flush>
        {account && account.lotes.length > 0 && !moment && (
          <Row
            title={`Por que ${isOwn ? 'meu' : 'o'} saldo é ${account.saldo}?`}
            facts="Cada crédito, da origem ao uso"
            trail={<Icon name="right" size={18} />}
            onClick={() => ask(`balance:${studentId}`)}
          />
        )}
        <InfiniteList
          of={lines}
          manual
          empty={
            <Notice icon="coins" title="Nenhum crédito ainda">
              {isOwn
                ? 'Cada crédito recebido ou usado fica registrado aqui.'
                : 'Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.'}
            </Notice>
          }
        >
          {(items) => items.map((line) => <Line key={line.id} {...{ line, isOwn, moment }} onAsk={ask} />)}
        </InfiniteList>
      </Card>
      {account?.lacre && (
        <p className={classes.seal}>
          saldo {account.saldo} ·{' '}
          <a href={`/verificar/${account.lacre}`} target="_blank" rel="noopener">
            lacre {account.lacre}
          </a>
        </p>
      )}
      {asked && <WhySheet of={asked} isOwn={isOwn} onClose={() => ask(undefined)} />}
    </Section>
  );
}
