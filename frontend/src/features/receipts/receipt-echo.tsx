import { Button } from '@mantine/core';
import type { ShownReceipt } from '../../../../backend/modules/receipts/receipts.api.js';
import { formatDate } from '../../lib/dates.js';
import { payerIn } from '../../parts/quick-receipt.js';
import classes from './receipts.module.css';

interface ReceiptEchoProps {
  of: ShownReceipt['sugestao'];
  onChange: () => void;
}

/** What the receipt will say, before it is issued: payer, purpose and period; each can be changed. */
export function ReceiptEcho({ of, onChange }: ReceiptEchoProps) {
  const period = `${formatDate(of.de).slice(0, 5)} a ${formatDate(of.ate)}`;
  return (
    <p className={classes.echo}>
      <span>{[payerIn(of), of.descricao, period].filter(Boolean).join(' · ')}</span>
      <Button size="compact-sm" h={44} variant="subtle" onClick={onChange}>
        Mudar
      </Button>
    </p>
  );
}
