import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import type { Renewal } from './credits.queries.js';
import { useRenewal } from './use-renewal.js';

/** Renews from a row of a list. */
export function RenewTap(renewal: Renewal) {
  const { renew, busy } = useRenewal(renewal);
  return (
    <ActionIcon
      data-square
      variant="light"
      color="indigo"
      loading={busy}
      onClick={renew}
      title="Renovar"
      aria-label={`Renovar o plano de ${renewal.studentName}`}
    >
      <Icon name="renew" />
    </ActionIcon>
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
