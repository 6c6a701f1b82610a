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
  studentId: string;
  name: string;
  fact: string;
  text: string;
  /** Opens WhatsApp with the text; null without a number. */
  link: string | null;
  /** What became of it: `Aviso por e-mail`; null before. */
  outcome: string | null;
  /** It may be taken back. */
  undoable: boolean;
  mark: () => Promise<{ unmark: () => Promise<unknown> }>;
  dismiss?: () => Promise<{ unmark: () => Promise<unknown> }>;
  unmark: () => Promise<unknown>;
}

interface PreparedMessagesProps {
  title: string;
  done: string;
  items: readonly PreparedMessage[];
}

/** Messages of one kind: those to send, prepared for WhatsApp, and the sent ones. */
export function PreparedMessages({ title, done, items }: PreparedMessagesProps) {
  const undo = (unmark: () => Promise<unknown>) => attempt(unmark, 'Erro ao desfazer');
  const mark = ({ name, mark: send }: PreparedMessage) =>
    void attempt(async () => {
      const { unmark } = await send();
      toast.success(done, { description: name, undo: () => undo(unmark), undone: 'Envio desfeito' });
    }, 'Erro ao marcar o envio');
  const put = (name: string, dismiss: NonNullable<PreparedMessage['dismiss']>) =>
    void attempt(async () => {
      const { unmark } = await dismiss();
      toast.success('Mensagem dispensada', {
        description: name,
        undo: () => undo(unmark),
        undone: 'Mensagem de volta',
      });
    }, 'Erro ao dispensar');
  const told = items.filter(({ outcome }) => outcome !== null);
  return (
    <Section title={title}>
      {items
        .filter(({ outcome }) => outcome === null)
        .map((message) => {
          const { key, name, studentId, fact, text, link, dismiss } = message;
          return (
            <MessageCard
              key={key}
              name={name}
              fact={fact}
              text={text}
              link={link}
              to={`/alunos/${studentId}`}
              onOpen={() => mark(message)}
              onDismiss={dismiss && (() => put(name, dismiss))}
            />
          );
        })}
      {told.length > 0 && (
        <Card flush>
          {told.map(({ key, studentId, name, fact, outcome, undoable, unmark }) => (
            <Row
              key={key}
              to={`/alunos/${studentId}`}
              title={name}
              facts={fact}
              trail={<Tag>{outcome}</Tag>}
              actions={
                undoable && (
                  <Button
                    size="sm"
                    variant="subtle"
                    onClick={() => void undo(unmark)}
                    aria-label={`Desfazer: ${name}`}
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
