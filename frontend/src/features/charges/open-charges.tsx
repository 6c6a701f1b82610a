import { formatMoney } from '../../lib/money.js';
import { LinkChip } from '../../ui/chip.js';
import { useReceivables } from './receivables.queries.js';

/** What students owe: the overdue amount, or else all of it; renders nothing if nothing is open. */
export function OpenCharges() {
  const { falta = 0, vencido = 0 } = useReceivables().data ?? {};
  if (vencido > 0)
    return (
      <LinkChip to="/cobrancas?situacao=vencida" figure={formatMoney(vencido)} urgent>
        vencidos
      </LinkChip>
    );
  if (falta === 0) return null;
  return (
    <LinkChip to="/cobrancas" figure={formatMoney(falta)}>
      a receber
    </LinkChip>
  );
}
