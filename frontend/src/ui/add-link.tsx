import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Icon } from './icon.js';
import classes from './add-link.module.css';

interface AddLinkProps {
  to: string;
  /** What is added: "plano". */
  thing: string;
}

/** The header's way to add one more: "Novo plano", on the phone only "Novo". */
export function AddLink({ to, thing }: AddLinkProps) {
  return (
    <Button
      component={Link}
      to={to}
      size="sm"
      aria-label={`Novo ${thing}`}
      leftSection={<Icon name="plus" size={18} />}
    >
      Novo<span className={classes.thing}>&nbsp;{thing}</span>
    </Button>
  );
}
