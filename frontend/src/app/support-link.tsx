import { supportUrl } from '../lib/support.js';
import classes from './support-link.module.css';

/** The link to support; renders nothing where SUPPORT_URL is not set. */
export function SupportLink() {
  if (!supportUrl) return null;
  return (
    <a className={classes.link} href={supportUrl} target="_blank" rel="noreferrer">
      Suporte
    </a>
  );
}
