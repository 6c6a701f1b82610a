import { Button, type ButtonProps } from '@mantine/core';
import { Icon } from '../../ui/icon.js';

/** Brings an archived student back. */
export function RestoreButton(props: ButtonProps & { onClick: () => void }) {
  return (
    <Button leftSection={<Icon name="undo" size={18} />} {...props}>
      Reativar
    </Button>
  );
}
