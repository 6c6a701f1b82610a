import { UnstyledButton } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import classes from './done-button.module.css';

interface DoneButtonProps {
  /** Whose session. */
  name: string;
  busy: boolean;
  onDone: () => void;
}

/** One tap that marks a session as done: narrow, so that the name beside it keeps its room on the phone. */
export function DoneButton({ name, busy, onDone }: DoneButtonProps) {
  return (
    <UnstyledButton
      className={classes.done}
      data-busy={busy || undefined}
      disabled={busy}
      aria-label={`Marcar como feita: ${name}`}
      onClick={onDone}
    >
      <Icon name="check" size={22} />
      Feita
    </UnstyledButton>
  );
}
