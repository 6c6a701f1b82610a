import { Menu } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import { TapButton } from '../../ui/tap-button.js';
import type { Renewal } from './credits.queries.js';
import { useRenewal } from './use-renewal.js';

/** Renews from a row of a list. */
export function RenewTap(renewal: Renewal) {
  const { renew, busy } = useRenewal(renewal);
  return (
    <TapButton icon="renew" label={`Renovar o plano de ${renewal.studentName}`} busy={busy} onTap={renew}>
      Renovar
    </TapButton>
  );
}

/** Renews from a menu. */
export function RenewItem(renewal: Renewal) {
  const { renew } = useRenewal(renewal);
  return (
    <Menu.Item onClick={renew} leftSection={<Icon name="renew" size={18} />}>
      Renovar
    </Menu.Item>
  );
}
