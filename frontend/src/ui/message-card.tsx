import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { onceOpened } from './open-whatsapp.js';
import { Card } from './card.js';
import { Icon } from './icon.js';
import { Quiet } from './quiet.js';
import classes from './message-card.module.css';

interface MessageCardProps {
  name: string;
  /** Address of the person's page. */
  to?: string;
  fact: string;
  text: string;
  /** Opens WhatsApp with the text; null without a number. */
  link: string | null;
  /** Called once it is opened. */
  onOpen: () => void;
  /** The message is not to be sent. */
  onDismiss?: (() => void) | undefined;
}

/** A prepared message to one person. */
export function MessageCard({ name, to, fact, text, link, onOpen, onDismiss }: MessageCardProps) {
  return (
    <Card>
      <div className={classes.head}>
        {to ? (
          <Link to={to} className={classes.name}>
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        <span>{fact}</span>
      </div>
      <p className={classes.message}>{text}</p>
      {!link && <Quiet>Sem WhatsApp no cadastro.</Quiet>}
      <div className={classes.actions}>
        {link && (
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            onClick={onceOpened(onOpen)}
            aria-label={`Enviar pelo WhatsApp: ${name}`}
            leftSection={<Icon name="chat" size={18} />}
          >
            Enviar pelo WhatsApp
          </Button>
        )}
        {onDismiss && (
          <Button variant="subtle" color="gray" onClick={onDismiss} aria-label={`Não enviar: ${name}`}>
            Não enviar
          </Button>
        )}
      </div>
    </Card>
  );
}
