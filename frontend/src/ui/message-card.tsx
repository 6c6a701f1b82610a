import { Button } from '@mantine/core';
import { onceOpened } from './open-whatsapp.js';
import { Card } from './card.js';
import { Icon } from './icon.js';
import classes from './message-card.module.css';

interface MessageCardProps {
  name: string;
  fact: string;
  text: string;
  /** Opens WhatsApp with the text; null without a number. */
  link: string | null;
  /** Called once it is opened. */
  onOpen: () => void;
}

/** A prepared message to one person. */
export function MessageCard({ name, fact, text, link, onOpen }: MessageCardProps) {
  return (
    <Card>
      <div className={classes.head}>
        <strong>{name}</strong>
        <span>{fact}</span>
      </div>
      <p className={classes.message}>{text}</p>
      {link ? (
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
      ) : (
        <p className={classes.note}>Sem WhatsApp no cadastro.</p>
      )}
    </Card>
  );
}
