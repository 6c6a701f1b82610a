import type { CreditStatement } from '../../../../backend/modules/credits/credits.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Card } from '../../ui/card.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './credits.module.css';
import { useLot } from './statement.queries.js';
import { OWN } from './own-balance.queries.js';
import { Line } from './statement-line.js';

interface LotSheetProps {
  studentId: string;
  lots: readonly string[];
  /** Shows them as they were at this moment; default: now. */
  at: string | undefined;
  /** Opens the lots of a line. */
  onLots: (ids: string[]) => void;
  onClose: () => void;
}

/** The origin of lots' credits, and what they were used for. */
export function LotSheet({ studentId, lots, at, onLots, onClose }: LotSheetProps) {
  return (
    <Sheet opened onClose={onClose} title="Origem e uso dos créditos" withoutAddress>
      <div className={classes.origins}>
        {lots.map((id) => (
          <Lot key={id} {...{ studentId, id, at }} onLots={onLots} isOnly={lots.length === 1} />
        ))}
      </div>
    </Sheet>
  );
}

interface LotProps extends Pick<LotSheetProps, 'studentId' | 'at' | 'onLots'> {
  id: string;
  isOnly: boolean;
}

function Lot({ studentId, id, at, onLots, isOnly }: LotProps) {
  return (
    <Async of={useLot(studentId, id, at)} skeleton={<Skeletons count={2} height={60} />}>
      {(account) => (
        <section>
          <h3 className={classes.origin}>{titleOf(account)}</h3>
          <Card flush>
            {account.extrato.items.map((line) => (
              <Line
                key={line.id}
                {...{ line, isOwn: studentId === OWN, ofLot: true }}
                // Without a link for a line about only this lot, which would lead here again.
                onLots={isOnly && line.lote_ids.length === 1 ? undefined : onLots}
              />
            ))}
          </Card>
        </section>
      )}
    </Async>
  );
}

function titleOf({ saldo, extrato }: CreditStatement): string {
  const first = extrato.items.at(-1);
  const what = first?.plano_nome ?? (first?.tipo === 'reposicao' ? 'Reposição' : 'Crédito avulso');
  return `${what} · ${saldo === 0 ? 'nada restante' : plural(saldo, 'crédito restante', 'créditos restantes')}`;
}
