import { Button } from '@mantine/core';
import { Card } from '../../ui/card.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';

export interface PreparedMessage {
  /** Of the student and the kind of message. */
  key: string;
  name: string;
  fact: string;
  text: string;
  /** Opens WhatsApp with the text; null without a number. */
  link: string | null;
  /** How it was sent; null before. */
  sent: 'pelo WhatsApp' | 'por e-mail' | null;
  mark: () => Promise<{ unmark: () => Promise<unknown> }>;
  unmark: () => Promise<unknown>;
}

interface PreparedMessagesProps {
  title: string;
  /** What is sent: `Aviso`, `Mensagem`. */
  what: string;
  done: string;
  items: readonly PreparedMessage[];
}

/** Messages of one kind: those to send, prepared for WhatsApp, and the sent ones. */
export function PreparedMessages({ title, what, done, items }: PreparedMessagesProps) {
  const undo = (unmark: () => Promise<unknown>) => attempt(unmark, 'Erro ao desfazer');
  const mark = ({ name, mark: send }: PreparedMessage) =>
    void attempt(async () => {
      const { unmark } = await send();
      toast.success(done, { description: name, undo: () => undo(unmark), undone: 'Envio desfeito' });
    }, 'Erro ao marcar o envio');
  const told = items.filter(({ sent }) => sent !== null);
  return (
    <Section title={title}>
      {items
        .filter(({ sent }) => sent === null)
        .map((message) => (
          <MessageCard {...message} key={message.key} onOpen={() => mark(message)} />
        ))}
      {told.length > 0 && (
        <Card flush>
          {told.map(({ key, name, fact, sent, unmark }) => (
            <Row
              key={key}
              title={name}
              facts={fact}
              trail={<Tag>{`${what} ${sent}`}</Tag>}
              actions={
                sent === 'pelo WhatsApp' && (
                  <Button
                    size="sm"
                    variant="subtle"
                    onClick={() => void undo(unmark)}
                    aria-label={`Desfazer o envio: ${name}`}
                  >
                    Desfazer
                  </Button>
                )
              }
            />
          ))}
        </Card>
      )}
    </Section>
  );
}
