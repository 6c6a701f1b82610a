import { Button } from '@mantine/core';
import { copyText } from '../../lib/clipboard.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { Icon } from '../../ui/icon.js';
import { toast } from '../../ui/toast.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import classes from './students.module.css';

/** A WhatsApp link with the number in international format, and the message (spec 2, section 7). */
function whatsAppLink({ nome, whatsapp }: Invited, why: string, url: string): string {
  return whatsAppAddress(whatsapp, `Oi, ${firstName(nome)}! ${why}: ${url}`);
}

interface Invited {
  nome: string;
  /** E.164. */
  whatsapp: string | null;
}

interface InviteLinkProps {
  student: Invited;
  url: string;
  /** The purpose of the link, for the message. */
  why?: string;
  opened?: string;
  onSent?: () => void;
}

/** A student's link, with buttons to copy it and to send it by WhatsApp. */
export function InviteLink({
  student,
  url,
  why = 'Crie sua conta para agendar suas aulas',
  opened = 'Link de convite aberto no WhatsApp!',
  onSent,
}: InviteLinkProps) {
  const copy = async () => {
    if (await copyText(url)) toast.success('Link copiado para a área de transferência!');
    else toast.error('Não foi possível copiar', { description: 'Selecione o link e copie.' });
  };

  return (
    <>
      <p className={classes.link}>{url}</p>
      <div className={classes.ways}>
        <Button variant="default" onClick={() => void copy()} leftSection={<Icon name="copy" size={18} />}>
          Copiar Link
        </Button>
        <Button
          component="a"
          href={whatsAppLink(student, why, url)}
          target="_blank"
          rel="noreferrer"
          onClick={onceOpened(() => {
            toast.success(opened);
            onSent?.();
          })}
          leftSection={<Icon name="chat" size={18} />}
        >
          Enviar WhatsApp
        </Button>
      </div>
    </>
  );
}
