import { Button } from '@mantine/core';
import { Icon, type IconName } from './icon.js';

interface SheetActionProps {
  icon: IconName;
  onClick: () => void;
  children: string;
}

/** One of the quiet buttons below the facts in a sheet. */
export const SheetAction = ({ icon, onClick, children }: SheetActionProps) => (
  <Button
    size="sm"
    variant="subtle"
    color="gray"
    onClick={onClick}
    leftSection={<Icon name={icon} size={18} />}
  >
    {children}
  </Button>
);
