import { formatMoney } from '../../lib/money.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Row } from '../../ui/row.js';
import { useUndecidedPix } from './receivables.queries.js';

/** Pix that count nowhere before they are decided; renders nothing if there are none. */
export default function WaitingPix() {
  const page = useUndecidedPix().data?.pages[0];
  if (!page || page.items.length === 0) return null;
  const { items, next } = page;
  const total = items.reduce((sum, { valor }) => sum + valor, 0);
  return (
    <Card flush>
      <Row
        to="/cobrancas"
        lead={<Icon name="wallet" />}
        title={`${next ? 'Mais de ' : ''}${items.length} Pix a decidir`}
        facts={`${next ? 'Mais de ' : ''}${formatMoney(total)} ainda fora do recebido`}
      />
    </Card>
  );
}
