import { UnstyledButton } from '@mantine/core';
import { Icon, type IconName } from './icon.js';
import classes from './tap-button.module.css';

interface TapButtonProps {
  icon: IconName;
  /** One short word under the icon. */
  children: string;
  /** The full label for screen readers: the action, and whom it concerns. */
  label: string;
  busy?: boolean;
  onTap: () => void;
}

/** The one-tap action of a row: narrow, so that the name beside it keeps its room on the phone. */
export function TapButton({ icon, children, label, busy = false, onTap }: TapButtonProps) {
  return (
    <UnstyledButton
      className={classes.button}
      data-on-screen
      data-busy={busy || undefined}
      disabled={busy}
      aria-label={label}
      onClick={onTap}
    >
      <Icon name={icon} size={22} />
      {children}
    </UnstyledButton>
  );
}
