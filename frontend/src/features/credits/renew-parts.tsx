import { ActionIcon, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../ui/icon.js';
import type { Renewal } from './credits.queries.js';
import RenewSheet from './renew-sheet.js';

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

/** Opens it from the page of a student. */
export function RenewButton({ renewal, variant }: { renewal: Renewal; variant: 'filled' | 'default' }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant={variant}
        onClick={() => setOpened(true)}
        leftSection={<Icon name="renew" size={18} />}
      >
        Renovar
      </Button>
      <RenewSheet renewal={opened ? renewal : null} onClose={() => setOpened(false)} />
    </>
  );
}
