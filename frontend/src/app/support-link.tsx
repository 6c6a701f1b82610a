import { toast } from '../ui/toast.js';
import classes from './app.module.css';

const given = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';

/** Support address (`SUPPORT_URL`); null if none is configured. */
const supportUrl: string | null = /^(https?|mailto):/.test(given) ? given : null;

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

/** The same for the settings, where it says what to do if there is no address. */
export function SupportButton() {
  if (supportUrl) return <SupportLink />;
  const explain = () =>
    toast.error('O suporte ainda não foi configurado', {
      description: 'Fale com quem cuida do seu Rende.',
    });
  return (
    <button type="button" className={classes.link} onClick={explain}>
      Suporte
    </button>
  );
}
