import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';

/** The rare actions of a sheet, beside its main button. */
export const MoreMenu = ({ children }: { children: ReactNode }) => (
  <Menu position="top-start" radius="md" shadow="md">
    <Menu.Target>
      {/* Only its icon's width: the main button takes the rest. */}
      <Button variant="default" w={56} p={0} flex="none" aria-label="Mais opções">
        <Icon name="more" />
      </Button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
