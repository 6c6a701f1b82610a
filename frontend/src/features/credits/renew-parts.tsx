import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from '../../ui/icon.js';

interface RenewPartProps {
  studentName: string;
  onTap: () => void;
}

/** Opens the sheet of renewals from a row of a list. */
export function RenewTap({ studentName, onTap }: RenewPartProps) {
  return (
    <ActionIcon
      data-square
      variant="light"
      color="indigo"
      onClick={onTap}
      title="Renovar"
      aria-label={`Renovar o plano de ${studentName}`}
    >
      <Icon name="renew" />
    </ActionIcon>
  );
}

/** Opens it from a menu. */
export function RenewItem({ onTap }: Pick<RenewPartProps, 'onTap'>) {
  return (
    <Menu.Item onClick={onTap} leftSection={<Icon name="renew" size={18} />}>
      Renovar
    </Menu.Item>
  );
}
