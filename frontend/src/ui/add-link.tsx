import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import classes from './add-link.module.css';

interface AddLinkProps {
  to: string;
  /** What is added: "plano". */
  thing: string;
}

/** The header's way to add one more: "Novo plano", on the phone only "Novo". The page's one "+" is the quick actions'. */
export function AddLink({ to, thing }: AddLinkProps) {
  return (
    <Button component={Link} to={to} size="sm" aria-label={`Novo ${thing}`}>
      Novo<span className={classes.thing}>&nbsp;{thing}</span>
    </Button>
  );
}
