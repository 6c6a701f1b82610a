import { Button, type ButtonProps } from '@mantine/core';
import { Icon } from './icon.js';

/** Makes something inactive active again. */
export function RestoreButton(props: ButtonProps & { onClick: () => void }) {
  return (
    <Button leftSection={<Icon name="undo" size={18} />} {...props}>
      Reativar
    </Button>
  );
}
