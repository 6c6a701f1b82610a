import { Button } from '@mantine/core';
import { Icon, type IconName } from './icon.js';

interface SheetActionProps {
  icon: IconName;
  onClick: () => void;
  loading?: boolean;
  /** Of double width. */
  wide?: boolean;
  children: string;
}

/** One of the quiet buttons below the facts in a sheet. */
export const SheetAction = ({ icon, onClick, loading, wide = false, children }: SheetActionProps) => (
  <Button
    size="sm"
    variant="subtle"
    color="gray"
    loading={loading}
    style={wide ? { gridColumn: '1 / -1' } : undefined}
    onClick={onClick}
    leftSection={<Icon name={icon} size={18} />}
  >
    {children}
  </Button>
);
