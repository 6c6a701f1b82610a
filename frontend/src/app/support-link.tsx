import classes from './app.module.css';

const given = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';

/** Support address (`SUPPORT_URL`); null if none is configured. */
export const supportUrl: string | null = /^(https?|mailto):/.test(given) ? given : null;

/** The link to support; renders nothing where SUPPORT_URL is not set. */
export function SupportLink() {
  if (!supportUrl) return null;
  const opens = supportUrl.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' };
  return (
    <a className={classes.link} href={supportUrl} {...opens}>
      Suporte
    </a>
  );
}
