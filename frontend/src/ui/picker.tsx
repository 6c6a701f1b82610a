import { ActionIcon, Popover } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import { Suspense, useEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

interface PickerProps {
  /** Label of the button that opens it. */
  label: string;
  icon: IconName;
  /** Its height in pixels, reserved while its code loads. */
  size: { width: number; height: number };
  /** The field, with the button in its right section. */
  field: (button: ReactNode) => ReactNode;
  children: (close: () => void) => ReactNode;
}

/** Escape closes only the picker, not the sheet around it. */
const keepSheet = ({ target }: FocusEvent) => target.setAttribute('data-mantine-stop-propagation', 'true');

/**
 * Focuses the chosen item, or the first one: the picker's code may be loaded only after Mantine has looked for them.
 */
function Begun({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const begin = box.current?.querySelector<HTMLElement>(
        ':is([data-autofocus], [role=group] [tabindex="0"], td [tabindex="0"])',
      );
      begin?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, []);
  return <div ref={box}>{children}</div>;
}

/** A picker beside a field for typing. */
export function Picker({ label, icon, size, field, children }: PickerProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      {field(
        <Popover.Target>
          <ActionIcon
            aria-label={label}
            onClick={() => setOpened(!opened)}
            // Has the focus until the picker has an element to focus.
            data-mantine-stop-propagation={opened || undefined}
            onKeyDown={({ key }) => {
              if (key === 'Escape') setOpened(false);
            }}
          >
            <Icon name={icon} />
          </ActionIcon>
        </Popover.Target>,
      )}
      <Popover.Dropdown onFocusCapture={keepSheet}>
        <Suspense fallback={<div style={size} />}>
          <Begun>{children(() => setOpened(false))}</Begun>
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
