import { ActionIcon, Textarea, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { copyText } from '../../lib/clipboard.js';
import { Icon } from '../../ui/icon.js';
import { toast } from '../../ui/toast.js';
import { ActCard } from './act-card.js';
import classes from './advisor.module.css';
import { type Entry, type Piece, textOf } from './conversation.js';
import { useSharing } from './sharing.queries.js';
import type { Conversation } from './use-conversation.js';

const GREETING =
  'Olá! Sou seu consultor financeiro. Pergunte sobre o que você recebeu, quem está devendo ou quanto guardar.';
const EXAMPLES = [
  'Quanto recebi este mês?',
  'Quem está devendo?',
  'Quanto devo guardar?',
  'Quanto falta para a meta?',
];
const LONGEST = 1000;

interface ChatProps {
  conversation: Conversation;
  /** Address for a link of an answer. */
  hrefOf: (fonte: string) => string;
}

/** The messages, and the field for the next question. */
export function Chat({ conversation, hrefOf }: ChatProps) {
  const { entries, typed, setTyped, busy, said, send, stop, run, undo } = conversation;
  const end = useRef<HTMLDivElement>(null);
  const last = entries.at(-1);
  const length = last ? textOf(last).length : 0;

  useEffect(() => {
    const { current } = end;
    current?.parentElement?.scrollTo({ top: current.offsetTop });
  }, [entries.length, length, last?.card?.estado]);

  const isTyping = busy && last?.role === 'user';
  return (
    <>
      <div className={classes.log} role="group" aria-label="Conversa" tabIndex={0}>
        <div className={classes.entry} data-role="assistant">
          <p className={classes.bubble}>{GREETING}</p>
          <ModelNote />
        </div>
        {entries.length === 0 && <Examples of={EXAMPLES} busy={busy} onTap={send} />}
        {entries.map((entry, n) => (
          <div key={n} className={classes.entry} data-role={entry.role}>
            {entry.pecas.length > 0 && (
              <p className={classes.bubble}>
                <VisuallyHidden>{entry.role === 'user' ? 'Você: ' : 'Consultor: '}</VisuallyHidden>
                {entry.pecas.map((piece, at) => (
                  <Words key={at} piece={piece} hrefOf={hrefOf} />
                ))}
              </p>
            )}
            {entry.card && <ActCard card={entry.card} onRun={run} onUndo={undo} />}
            {entry.role === 'assistant' &&
              entry.pecas.length > 0 &&
              !entry.card &&
              !(busy && entry === last) && <Copy entry={entry} />}
            {entry.exemplos && entry === last && <Examples of={entry.exemplos} busy={busy} onTap={send} />}
          </div>
        ))}
        {isTyping && (
          <div className={classes.entry} data-role="assistant">
            <p className={classes.typing}>
              <span />
              <span />
              <span />
              <VisuallyHidden>Escrevendo…</VisuallyHidden>
            </p>
          </div>
        )}
        <div ref={end} />
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <form
        className={classes.ask}
        onSubmit={(event) => {
          event.preventDefault();
          void send(typed);
        }}
      >
        <Textarea
          className={classes.field}
          aria-label="Sua pergunta"
          autosize
          minRows={1}
          maxRows={4}
          placeholder="Pergunte sobre o seu dinheiro"
          autoComplete="off"
          enterKeyHint="send"
          maxLength={LONGEST}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter also ends the composition of a letter.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void send(typed);
          }}
          data-autofocus
        />
        {busy ? (
          <ActionIcon size={48} variant="default" aria-label="Parar" onClick={stop}>
            <Icon name="stop" />
          </ActionIcon>
        ) : (
          <ActionIcon
            type="submit"
            size={48}
            variant="filled"
            aria-label="Enviar"
            disabled={typed.trim() === ''}
          >
            <Icon name="up" />
          </ActionIcon>
        )}
      </form>
    </>
  );
}

/** Names the language model's server, if questions are sent to one. */
function ModelNote() {
  const { data } = useSharing();
  if (!data?.servidor || data.envio === 'nada') return null;
  return (
    <p className={classes.note}>
      As perguntas vão para o servidor de IA em {data.servidor}, {data.envio === 'com_nomes' ? 'com' : 'sem'}{' '}
      nomes de alunos.{' '}
      <Link to="/ajustes/configuracoes" className={classes.source}>
        Mudar
      </Link>
    </p>
  );
}

function Words({ piece: { texto, fonte }, hrefOf }: { piece: Piece; hrefOf: ChatProps['hrefOf'] }) {
  return fonte ? (
    <Link to={hrefOf(fonte)} className={classes.source}>
      {texto}
    </Link>
  ) : (
    texto
  );
}

interface ExamplesProps {
  of: readonly string[];
  busy: boolean;
  onTap: (text: string) => unknown;
}

function Examples({ of, busy, onTap }: ExamplesProps) {
  return (
    <div className={classes.examples}>
      {of.map((text) => (
        <button
          key={text}
          type="button"
          className={classes.example}
          disabled={busy}
          onClick={() => onTap(text)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

function Copy({ entry }: { entry: Entry }) {
  const copy = async () => {
    if (await copyText(textOf(entry))) toast.success('Resposta copiada');
    else toast.error('Não foi possível copiar');
  };
  return (
    <button type="button" className={classes.copy} onClick={() => void copy()}>
      <Icon name="copy" size={16} />
      Copiar
    </button>
  );
}
