import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../ui/icon.js';
import type { Renewal } from './credits.queries.js';
import RenewSheet from './renew-sheet.js';

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
