import { Button, type ButtonProps } from '@mantine/core';
import { Icon } from './icon.js';

/** Reactivates an inactive item. */
export function RestoreButton(props: ButtonProps & { onClick: () => void }) {
  return (
    <Button leftSection={<Icon name="undo" size={18} />} {...props}>
      Reativar
    </Button>
  );
}
