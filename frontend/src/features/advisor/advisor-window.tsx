import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.js';
import { Sheet } from '../../ui/sheet.js';
import classes from './advisor.module.css';
import { Chat } from './chat.js';
import { useConversation } from './use-conversation.js';

const TITLE = 'Consultor Financeiro';

interface AdvisorWindowProps {
  opened: boolean;
  onClose: () => void;
}

/** The conversation, in a window over the page or, on the phone, in a sheet. */
export default function AdvisorWindow({ opened, onClose }: AdvisorWindowProps) {
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  const conversation = useConversation();
  if (wide) return opened && <Panel conversation={conversation} onClose={onClose} />;
  return (
    <Sheet opened={opened} onClose={onClose} title={TITLE}>
      <div className={classes.inSheet}>
        {conversation.entries.length > 0 && (
          <Button
            size="sm"
            variant="subtle"
            className={classes.clear}
            leftSection={<Icon name="trash" size={16} />}
            onClick={conversation.clear}
          >
            Limpar histórico
          </Button>
        )}
        <Chat conversation={conversation} hrefOf={(fonte) => fonte} />
      </div>
    </Sheet>
  );
}

/** Address of an answer's link; on the same page, the window stays open. */
const stayingOpen = (fonte: string): string =>
  fonte.startsWith('/financeiro?') ? `${fonte}&consultor=aberto` : fonte;

interface PanelProps {
  conversation: ReturnType<typeof useConversation>;
  onClose: () => void;
}

function Panel({ conversation, onClose }: PanelProps) {
  const [expanded, setExpanded] = useState(false);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.querySelector('textarea')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-label={TITLE}
      className={classes.panel}
      data-window={expanded ? 'expanded' : 'small'}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header className={classes.head}>
        <h2>{TITLE}</h2>
        <ActionIcon
          size={44}
          aria-label="Limpar histórico"
          disabled={conversation.entries.length === 0}
          onClick={conversation.clear}
        >
          <Icon name="trash" />
        </ActionIcon>
        <ActionIcon
          size={44}
          aria-label={expanded ? 'Reduzir' : 'Expandir'}
          onClick={() => setExpanded(!expanded)}
        >
          <Icon name="grow" />
        </ActionIcon>
        <ActionIcon size={44} aria-label="Fechar" onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </header>
      <Chat conversation={conversation} hrefOf={stayingOpen} />
    </section>
  );
}
