import { Button } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import type { Renewal } from './credits.queries.js';
import { useRenewal } from './use-renewal.js';

interface RenewButtonProps extends Renewal {
  variant?: 'light' | 'filled';
}

export function RenewButton({ variant = 'light', ...renewal }: RenewButtonProps) {
  const { renew, busy } = useRenewal(renewal);
  return (
    <Button
      size="sm"
      variant={variant}
      loading={busy}
      onClick={renew}
      leftSection={<Icon name="renew" size={18} />}
    >
      Renovar
    </Button>
  );
}
