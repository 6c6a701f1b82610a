import { Button } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import classes from './conflict.module.css';

interface ConflictProps {
  message: string;
  label: string;
  busy: boolean;
  onAnyway: () => void;
}

/** A time that is taken: who is there, another try with what was changed above, or sharing it. */
export function Conflict({ message, label, busy, onAnyway }: ConflictProps) {
  return (
    <div className={classes.conflict}>
      <p role="alert">
        <Icon name="alert" size={18} />
        {message}
      </p>
      <div className={classes.buttons}>
        <Button type="submit" variant="default" loading={busy}>
          Tentar de novo
        </Button>
        <Button loading={busy} onClick={onAnyway}>
          {label}
        </Button>
      </div>
    </div>
  );
}
