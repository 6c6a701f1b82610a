import { Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './sheet.module.css';

interface SheetProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

/** A form or a detail over the page: from the bottom on the phone, from the right where there is room. */
export function Sheet({ opened, onClose, title, children }: SheetProps) {
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position={wide ? 'right' : 'bottom'}
      size={wide ? 460 : 'auto'}
      classNames={{
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
        overlay: classes.overlay,
      }}
      data-side={wide ? 'right' : 'bottom'}
      closeButtonProps={{ 'aria-label': 'Fechar', size: 44, iconSize: 22 }}
      transitionProps={{ duration: 180, transition: wide ? 'slide-left' : 'slide-up' }}
    >
      {children}
    </Drawer>
  );
}

/** The buttons of a sheet: always in reach at its end. */
export function SheetActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
