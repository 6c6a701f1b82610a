import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import classes from './add-link.module.css';

interface AddLinkProps {
  to: string;
  /** What is added: "plano". */
  thing: string;
}

/** The header's link to a form for a new one: "Novo plano", on the phone only "Novo". The only "+" is the quick actions' button. */
export function AddLink({ to, thing }: AddLinkProps) {
  return (
    <Button component={Link} to={to} size="sm" aria-label={`Novo ${thing}`}>
      Novo<span className={classes.thing}>&nbsp;{thing}</span>
    </Button>
  );
}
