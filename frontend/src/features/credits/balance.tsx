import type { ReactNode } from 'react';
import type { CreditLot, CreditStatement } from '../../../../backend/modules/credits/credits.api.js';
import { wordFor } from '../../../../backend/platform/plural.api.js';
import { formatLongDay, whenDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import classes from './credits.module.css';

interface BalanceProps {
  account: Pick<CreditStatement, 'saldo' | 'lotes'> | undefined;
  /** Beside the figure: what is not in it yet. */
  pending?: ReactNode;
}

/** The balance, large, and the lots in the order of their use. */
export function Balance({ account, pending }: BalanceProps) {
  const today = useToday();
  if (!account) return null;
  return (
    <Card className={classes.balance}>
      <div className={classes.figure}>
        {account.saldo}
        <span className={classes.unit}>
          {wordFor(account.saldo, 'crédito', 'créditos')}
          {pending}
        </span>
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
  return <span title={formatLongDay(expira_em)}>vence {whenDay(expira_em, today)}</span>;
}
