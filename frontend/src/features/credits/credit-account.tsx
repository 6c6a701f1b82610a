import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type {
  CreditLot,
  CreditStatement,
  StatementLine,
} from '../../../../backend/modules/credits/credits.api.js';
import { formatDay, formatLongDay, formatMoment, dayOf } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Notice, Skeletons } from '../../ui/states.js';
import { AdjustSheet } from './adjust-sheet.js';
import { ConsumeSheet } from './consume-sheet.js';
import classes from './credits.module.css';
import { useCreditStatement } from './credits.queries.js';

interface CreditAccountProps {
  studentId: string;
  /** The renew button, where the student has a plan that grants credits. */
  renew: ReactNode;
}

/** A student's credits: the balance, the lots in the order of their use, and the statement that explains it. */
export function CreditAccount({ studentId, renew }: CreditAccountProps) {
  const [sheet, setSheet] = useState<'adjust' | 'consume' | null>(null);
  const statement = useCreditStatement(studentId);
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };

  return (
    <>
      <Section title="Créditos">
        <Async of={statement} skeleton={<Skeletons count={1} height={150} />}>
          {({ pages }) => <Balance account={pages[0]} />}
        </Async>
        <div className={classes.actions}>
          {renew}
          <Button size="sm" variant="default" onClick={() => setSheet('consume')}>
            Usar crédito
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('adjust')}>
            Ajustar
          </Button>
        </div>
      </Section>
      <Section title="Extrato">
        <Card flush>
          <InfiniteList
            of={lines}
            empty={
              <Notice icon="coins" title="Nenhum crédito ainda">
                Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.
              </Notice>
            }
          >
            {(items) => items.map((line) => <Line key={line.id} line={line} />)}
          </InfiniteList>
        </Card>
      </Section>
      <AdjustSheet studentId={studentId} opened={sheet === 'adjust'} onClose={() => setSheet(null)} />
      <ConsumeSheet studentId={studentId} opened={sheet === 'consume'} onClose={() => setSheet(null)} />
    </>
  );
}

function Balance({ account }: { account: CreditStatement | undefined }) {
  const today = useToday();
  if (!account) return null;
  return (
    <Card className={classes.balance}>
      <div className={classes.figure}>
        {account.saldo}
        <span className={classes.unit}>{account.saldo === 1 ? 'crédito' : 'créditos'}</span>
      </div>
      {account.lotes.length > 0 && (
        <ul className={classes.lots}>
          {account.lotes.map((lot) => (
            <li key={lot.id}>
              <span>
                {lot.restante} de {lot.quantidade} · {lot.plano_nome ?? 'Crédito avulso'}
              </span>
              <span>{expiryOf(lot, today)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function expiryOf({ expira_em }: CreditLot, today: string): ReactNode {
  if (!expira_em) return 'sem validade';
  return <span title={formatLongDay(expira_em)}>vence {formatDay(expira_em, today)}</span>;
}

const kinds: Record<StatementLine['tipo'], string> = {
  concessao: 'Créditos recebidos',
  consumo: 'Crédito usado',
  devolucao: 'Crédito devolvido',
  ajuste: 'Ajuste de saldo',
  expiracao: 'Créditos vencidos',
};

function Line({ line }: { line: StatementLine }) {
  const zone = useZone();
  const reason = line.motivo ?? (line.session_id ? 'Sessão' : line.plano_nome);
  return (
    <Row
      lead={
        <span className={classes.direction} data-gain={line.quantidade > 0 || undefined}>
          <Icon
            name={line.quantidade > 0 ? 'plus' : line.tipo === 'expiracao' ? 'clock' : 'check'}
            size={18}
          />
        </span>
      }
      title={kinds[line.tipo]}
      facts={
        <span title={formatLongDay(dayOf(line.em, zone))}>
          {[formatMoment(line.em, zone), reason].filter(Boolean).join(' · ')}
        </span>
      }
      trail={
        <>
          <span className={classes.quantity}>
            {line.quantidade > 0 ? '+' : '\u2212'}
            {Math.abs(line.quantidade)}
          </span>
          <span className={classes.after}>saldo {line.saldo}</span>
        </>
      }
    />
  );
}
