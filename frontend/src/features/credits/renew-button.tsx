import { Button } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import type { Renewal } from './credits.queries.js';
import { useRenewal } from './use-renewal.js';

export function RenewButton(renewal: Renewal) {
  const { renew, busy } = useRenewal(renewal);
  return (
    <Button
      size="sm"
      variant="default"
      loading={busy}
      onClick={renew}
      leftSection={<Icon name="renew" size={18} />}
    >
      Renovar
    </Button>
  );
}
