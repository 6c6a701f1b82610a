import { supportUrl } from '../lib/support.js';
import classes from './support-link.module.css';

/** The way to a person who helps; nothing where there is none. */
export function SupportLink() {
  if (!supportUrl) return null;
  return (
    <a className={classes.link} href={supportUrl} target="_blank" rel="noreferrer">
      Suporte
    </a>
  );
}
