import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import 'sonner/dist/styles.css';
import { Icon } from './icon.js';
import { toasterMounted, type Toast } from './toast.js';
import './toaster.css';

const show = ({ kind, title, ...options }: Toast) => void toast[kind](title, options);

/** Where toasts appear, with the values of spec 1, section 9; above the quick-action button, which stays in reach. */
export default function Toaster() {
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => toasterMounted(show), []);
  return (
    <Sonner
      theme={colorScheme === 'auto' ? 'system' : colorScheme}
      position="bottom-right"
      duration={4000}
      visibleToasts={3}
      gap={14}
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel="Notifications"
      offset={{ bottom: 100, right: 28 }}
      mobileOffset={{ bottom: 'calc(var(--rende-bar-height) + var(--rende-safe-bottom) + 84px)' }}
      closeButton
      icons={{
        success: <Icon name="check" />,
        error: <Icon name="alert" />,
        info: <Icon name="clock" />,
      }}
      toastOptions={{ closeButtonAriaLabel: 'Close toast' }}
    />
  );
}
