import type { ReactNode } from 'react';
import type { CreditLot, CreditStatement } from '../../../../backend/modules/credits/credits.api.js';
import { type Day, dueDay, formatDate, formatLongDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { CreditFigure } from '../../ui/credit-figure.js';
import { Quiet } from '../../ui/quiet.js';
import classes from './credits.module.css';

interface BalanceProps {
  /** The day as of which expiries are said; default: today. */
  day?: Day;
  account: Pick<CreditStatement, 'disponivel' | 'lotes' | 'pausado_ate' | 'divisao'> | undefined;
  /** Shown beside the balance: credits that it does not include yet. */
  pending?: ReactNode;
}

/** The balance, large, and the lots in the order of their use. */
export function Balance({ account, day, pending }: BalanceProps) {
  const today = useToday();
  if (!account) return null;
  const makeUps = account.lotes.filter(({ reposicao }) => reposicao);
  return (
    <Card className={classes.balance}>
      <CreditFigure credits={account.disponivel} pending={pending} />
      {account.divisao.texto && <Quiet size="sm">{account.divisao.texto}</Quiet>}
      {account.pausado_ate && (
        <Quiet size="sm">
          Pausado até {formatDate(account.pausado_ate)}. As datas de validade já contam a pausa.
        </Quiet>
      )}
      <Lots
        of={account.lotes.filter(({ reposicao }) => !reposicao)}
        today={day ?? today}
        words={({ restante, quantidade, plano_nome, transferido }) =>
          `${restante} de ${quantidade} · ${plano_nome ?? (transferido ? 'Crédito transferido' : 'Crédito avulso')}`
        }
      />
      {makeUps.length > 0 && (
        <div>
          <h3 className={classes.makeUps}>Reposições, usadas primeiro</h3>
          <Lots of={makeUps} today={day ?? today} words={() => '1 reposição'} />
        </div>
      )}
    </Card>
  );
}

interface LotsProps {
  of: readonly CreditLot[];
  today: string;
  words: (lot: CreditLot) => string;
}

function Lots({ of: lots, today, words }: LotsProps) {
  if (lots.length === 0) return null;
  return (
    <ul className={classes.lots}>
      {lots.map((lot) => (
        <li key={lot.id}>
          <span>{words(lot)}</span>
          <span>{expiryOf(lot, today)}</span>
        </li>
      ))}
    </ul>
  );
}

function expiryOf({ expira_em }: CreditLot, today: string): ReactNode {
  if (!expira_em) return 'sem validade';
  return <span title={formatLongDay(expira_em)}>{dueDay(expira_em, today)}</span>;
}
